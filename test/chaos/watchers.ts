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
    const content = media.endsWith('.m3u8') ? await (await call(rig, `/hls/${path}/${media}`, signal)).text() : text
    if (content !== playlist) beat.beat()
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
  /** Answers of 5xx but 503, which is a clear word: by status. */
  readonly faults: Map<number, number>
  /** Of `/readyz`: what did not work, by name. */
  readonly notReady: Set<string>
}

/** Asks what a console asks. */
export function watchApi(rig: ProcessRig, api: Signal, ready: Signal, signal: AbortSignal): ApiWatch {
  const watch: ApiWatch = { answerMs: [], faults: new Map(), notReady: new Set() }
  const paths = ['/processes', '/sources', '/user_info', '/status']
  let round = 0
  void repeat(signal, 100, async () => {
    const sentMs = performance.now()
    const answer = await call(rig, paths[round++ % paths.length]!, signal)
    await answer.arrayBuffer()
    watch.answerMs.push(performance.now() - sentMs)
    if (answer.status >= 500 && answer.status !== 503)
      watch.faults.set(answer.status, (watch.faults.get(answer.status) ?? 0) + 1)
    if (answer.ok) api.beat()
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

function call(rig: ProcessRig, path: string, signal: AbortSignal): Promise<Response> {
  return fetch(rig.service.url + path, {
    headers: { api_key: rig.installation.masterKey },
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  })
}
