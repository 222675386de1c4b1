/** Clients as users have them: each goes on by itself after whatever happens to the service, and beats its signal while it is served. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type ProcessRig } from '../support/process-rig.ts'
import { watchByWebrtc } from '../support/webrtc-viewer.ts'
import { type Signal } from './signal.ts'

/** A client that lost its connection, or was refused, tries again after this. */
const RETRY_MS = 200
const REQUEST_TIMEOUT_MS = 10_000

/** Repeats an action until the signal aborts; what it throws is tried again. */
export function repeat(signal: AbortSignal, pauseMs: number, action: () => Promise<void>): Promise<void> {
  return (async () => {
    while (!signal.aborted) {
      await action().catch(() => {})
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  })()
}

/** Follows the scenes of a process by its websocket. */
export function watchScenes(url: string, beat: Signal, signal: AbortSignal): void {
  void repeat(signal, RETRY_MS, async () => {
    const socket = new WebSocket(url, { handshakeTimeout: 2_000 })
    socket.on('error', () => {})
    socket.on('message', () => beat.beat())
    const close = () => socket.terminate()
    signal.addEventListener('abort', close)
    await new Promise((resolve) => socket.once('close', resolve))
    signal.removeEventListener('abort', close)
  })
}

/** Asks for a playlist again and again, as players do; a part that was not there before is a beat. */
export function watchHls(rig: ProcessRig, path: string, beat: Signal, signal: AbortSignal): void {
  let playlist = ''
  void repeat(signal, RETRY_MS, async () => {
    const answer = await call(rig, `/hls/${path}/index.m3u8`, signal)
    const text = await answer.text()
    const [media] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    if (!answer.ok || media === undefined) return
    const inner = media.endsWith('.m3u8') ? await call(rig, `/hls/${path}/${media}`, signal) : undefined
    const content = inner ? await inner.text() : text
    if (inner?.ok !== false && content !== playlist) beat.beat()
    playlist = content
  })
}

/** Watches by WebRTC; where no packet comes for a moment it connects anew. */
export function watchWebrtc(rig: ProcessRig, path: string, beat: Signal, signal: AbortSignal): void {
  void repeat(signal, RETRY_MS, async () => {
    const url = `${rig.service.url}/webrtc/${path}/whep`
    const viewer = await Promise.race([
      watchByWebrtc(url, rig.installation.masterKey),
      sleep(5_000).then(() => Promise.reject(new Error('no connection'))),
    ])
    let packets = 0
    let silentMs = 0
    while (!signal.aborted && silentMs < 1_000) {
      await sleep(50)
      silentMs = viewer.packets === packets ? silentMs + 50 : 0
      if (viewer.packets > packets) beat.beat()
      packets = viewer.packets
    }
    viewer.close()
  })
}

export interface ApiWatch {
  /** How long each answer took. */
  readonly answerMs: number[]
  /** Answers of 5xx but for a 503 that says when to try again, which is a clear word: by status. */
  readonly faults: Map<number, number>
  /** Of `/readyz`: what did not work, by name. */
  readonly notReady: Set<string>
  /** Begins anew. */
  clear(): void
}

/** Asks what a console asks. */
export function watchApi(rig: ProcessRig, api: Signal, ready: Signal, signal: AbortSignal): ApiWatch {
  const watch: ApiWatch = {
    answerMs: [],
    faults: new Map(),
    notReady: new Set(),
    clear() {
      watch.answerMs.length = 0
      watch.faults.clear()
      watch.notReady.clear()
    },
  }
  const paths = ['/processes', '/sources', '/user_info', '/status']
  let round = 0
  void repeat(signal, 100, async () => {
    const sentMs = performance.now()
    try {
      const { status, ok, headers } = await callFully(rig, paths[round++ % paths.length]!, signal)
      const isClear = status < 500 || (status === 503 && headers.has('retry-after'))
      if (!isClear) watch.faults.set(status, (watch.faults.get(status) ?? 0) + 1)
      if (ok) api.beat()
    } finally {
      watch.answerMs.push(performance.now() - sentMs)
    }
  })
  void repeat(signal, RETRY_MS, async () => {
    const answer = await call(rig, '/readyz', signal)
    const { checks } = (await answer.json()) as { checks: Record<string, string> }
    for (const [name, result] of Object.entries(checks)) if (result !== 'ok') watch.notReady.add(name)
    if (answer.ok) ready.beat()
  })
  return watch
}

/** Looks at the files that are recorded of a source: they grow. */
export function watchRecording(rig: ProcessRig, sourceId: string, beat: Signal, signal: AbortSignal): void {
  const folder = join(rig.installation.dataDir, 'recordings', sourceId)
  let bytes = 0
  void repeat(signal, RETRY_MS, async () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp4'))
    const sum = files.reduce((total, name) => total + statSync(join(folder, name)).size, 0)
    if (sum > bytes) beat.beat()
    bytes = sum
  })
}

async function callFully(rig: ProcessRig, path: string, signal: AbortSignal): Promise<Response> {
  const answer = await call(rig, path, signal)
  await answer.arrayBuffer()
  return answer
}

function call(rig: ProcessRig, path: string, signal: AbortSignal): Promise<Response> {
  return fetch(rig.service.url + path, {
    headers: { api_key: rig.installation.masterKey },
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  })
}
