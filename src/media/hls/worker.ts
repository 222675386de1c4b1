import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../../supervise/child-entry.ts'
import { openInput } from '../../av/input.ts'
import { ffmpegMessage, streamFault } from '../../av/faults.ts'
import { type FromHls, type HlsRequest, type ToHls } from '../messages.ts'
import { type Format, remux } from './remux.ts'
import { createSegmentWindow } from './segment-window.ts'
import { createHlsServer } from './server.ts'

/**
 * An HLS worker's process: one path, for as long as somebody watches it and it is live, and a moment longer.
 *
 *   hub ──RTSP──▶ remux ──parts──▶ window (memory) ──HTTP on a unix socket──▶ main ──▶ players
 */
const STALL_MS = 10_000
const FIRST_SEGMENT_MS = 20_000
/** Players finish what was in their last playlist. */
const LINGER_MS = 5_000

const stopping = new AbortController()
let running: Promise<void> = Promise.resolve()

const parent = serveParent<ToHls, FromHls>(
  (request) => {
    running = run(request).then(
      () => parent.send({ type: 'ended', sentence: undefined }),
      (error: unknown) =>
        parent.send({ type: 'ended', sentence: streamFault(error), ffmpegMessage: ffmpegMessage(error) }),
    )
  },
  async () => {
    stopping.abort()
    await running
  },
)

async function run({ url, socketPath, firstSequence }: HlsRequest): Promise<void> {
  // With what was looked at, hls.js was once seen to stall at the beginning of an RTMP stream with sound. That could not be
  // brought about again (both begin within 50 ms of each other, without gaps), but on time is what viewers want anyway.
  const input = await openInput(url, { timeoutMs: STALL_MS, skipsLookedAt: true })
  const failing = new AbortController()
  const signal = AbortSignal.any([stopping.signal, failing.signal])
  const interrupt = () => input.interrupt()
  signal.addEventListener('abort', interrupt)
  const window = createSegmentWindow(firstSequence)
  let format: Format | undefined
  const server = createHlsServer(window, () => format)
  // Players need one whole segment to begin with.
  void window.waitFor(firstSequence, undefined, FIRST_SEGMENT_MS).then(async (isThere) => {
    if (!isThere) return
    await server.listen(socketPath).then(
      () => parent.send({ type: 'listening' }),
      // Nobody could fetch what is made.
      (error: unknown) => failing.abort(error),
    )
  })
  try {
    await remux(input, window, signal, (known) => (format = known)).finally(release)
    failing.signal.throwIfAborted()
    if (!server.isListening || stopping.signal.aborted) return
    parent.send({ type: 'over' })
    await sleep(LINGER_MS, undefined, { signal: stopping.signal }).catch(() => {})
  } finally {
    await server.close()
  }

  async function release(): Promise<void> {
    signal.removeEventListener('abort', interrupt)
    window.close()
    await input.close()
  }
}
