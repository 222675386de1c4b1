import { type DetectionMessage } from '@aerie/client'
import { effect } from '@preact/signals'
import { isLookedAt } from '../looked-at.ts'
import { root } from '../service.ts'
import { type StatusMessage } from './status-message.ts'

export interface ProcessListener {
  readonly onScene?: (scene: DetectionMessage) => void
  readonly onStatus?: (status: StatusMessage) => void
}

/**
 * What the processes see, over one connection for as many of them as it takes: browsers open only six to a server. Connections
 * are opened anew when somebody wants to hear other processes than before, and closed while nobody looks at the page.
 */
const listeners = new Map<string, Set<ProcessListener>>()
/** Those that said so themselves: asking for them again would be refused. */
const ended = new Set<string>()
/** By the ids that each is for. */
const connections = new Map<string, EventSource>()
let timer = 0

/** Returns the function that ends the listening. */
export function listen(processId: string, listener: ProcessListener): () => void {
  const set = listeners.get(processId) ?? new Set()
  listeners.set(processId, set.add(listener))
  settle()
  return () => {
    set.delete(listener)
    if (set.size === 0 && listeners.get(processId) === set) listeners.delete(processId)
    settle()
  }
}

/** More in one request are refused. */
const MAX_IDS = 50
const RETRY_MS = 2_000

/** Several come and go together, as with a page: connections are made once, after that. */
function settle(): void {
  clearTimeout(timer)
  timer = window.setTimeout(connect, 0)
}

function connect(): void {
  const wanted = wantedGroups()
  for (const [group, source] of connections) {
    if (wanted.includes(group) && source.readyState !== EventSource.CLOSED) continue
    source.close()
    connections.delete(group)
  }
  for (const group of wanted) if (!connections.has(group)) connections.set(group, open(group))
}

function wantedGroups(): string[] {
  const ids = isLookedAt.value ? [...listeners.keys()].filter((id) => !ended.has(id)).sort() : []
  const count = Math.ceil(ids.length / MAX_IDS)
  return Array.from({ length: count }, (_, index) => ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS).join(','))
}

function open(group: string): EventSource {
  const source = new EventSource(`${root}/processes/events?process_uuids=${group}`)
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const scene = JSON.parse(data) as DetectionMessage
    for (const { onScene } of listeners.get(scene.process_uuid) ?? []) onScene?.(scene)
  }
  source.addEventListener('status', ({ data }: MessageEvent<string>) => {
    const status = JSON.parse(data) as StatusMessage
    for (const { onStatus } of listeners.get(status.process_uuid) ?? []) onStatus?.(status)
  })
  source.addEventListener('end', ({ data }: MessageEvent<string>) => {
    ended.add((JSON.parse(data) as { process_uuid: string }).process_uuid)
    if (group.split(',').every((id) => ended.has(id))) source.close()
  })
  source.onerror = () => {
    source.close()
    timer = window.setTimeout(connect, RETRY_MS)
  }
  return source
}

effect(() => {
  void isLookedAt.value
  settle()
})
