import { type DetectionMessage } from '@aerie/client'
import { effect } from '@preact/signals'
import { isLookedAt } from '../looked-at.ts'
import { root } from '../service.ts'

export type SceneListener = (scene: DetectionMessage) => void

/**
 * What the processes see, over one connection for all of them: browsers open only six to a server. It is opened anew
 * when somebody wants to hear of other processes than before, and closed while nobody looks at the page.
 */
const listeners = new Map<string, Set<SceneListener>>()
/** Those that said so themselves: asking for them again would be refused. */
const ended = new Set<string>()
let source: EventSource | undefined
let heard = ''
let timer = 0

/** Returns the function that ends the listening. */
export function listen(processId: string, listener: SceneListener): () => void {
  const set = listeners.get(processId) ?? new Set()
  listeners.set(processId, set.add(listener))
  settle()
  return () => {
    set.delete(listener)
    if (set.size === 0 && listeners.get(processId) === set) listeners.delete(processId)
    settle()
  }
}

const RETRY_MS = 2_000

/** Several come and go together, as with a page: the connection is made once, after that. */
function settle(): void {
  clearTimeout(timer)
  timer = window.setTimeout(connect, 0)
}

function connect(): void {
  const wanted = [...listeners.keys()]
    .filter((id) => isLookedAt.value && !ended.has(id))
    .sort()
    .join(',')
  if (wanted === heard && source?.readyState !== EventSource.CLOSED) return
  source?.close()
  source = undefined
  heard = wanted
  if (!wanted) return
  const opened = new EventSource(`${root}/processes/events?process_uuids=${wanted}`)
  opened.onmessage = ({ data }: MessageEvent<string>) => {
    const scene = JSON.parse(data) as DetectionMessage
    for (const listener of listeners.get(scene.process_uuid) ?? []) listener(scene)
  }
  opened.addEventListener('end', ({ data }: MessageEvent<string>) => {
    ended.add((JSON.parse(data) as { process_uuid: string }).process_uuid)
    if (wanted.split(',').every((id) => ended.has(id))) opened.close()
  })
  opened.onerror = () => {
    opened.close()
    timer = window.setTimeout(connect, RETRY_MS)
  }
  source = opened
}

effect(() => {
  void isLookedAt.value
  settle()
})
