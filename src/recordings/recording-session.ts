import { relative } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { MAX_REMUX_WORKER_BYTES } from '../core/worker-memory.ts'
import { type FromRecorder, type OpenedVideo, type ToRecorder } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type LivePath } from '../streams/live-paths.ts'
import { startChild } from '../supervise/child.ts'
import { alwaysRestart, neverRestart } from '../supervise/restart-policy.ts'
import { type Recording, type RecordingStore } from './recordings.store.ts'

/** One stream being kept: its worker, and the rows of what the worker writes. */
export interface RecordingSession {
  readonly recording: Recording
  /** The stream's coming that this session belongs to. */
  readonly live: LivePath
  /** Resolves when the worker is gone and all that it told is in the database. */
  stop(): Promise<void>
}

export interface RecordingSessionOptions {
  readonly recording: Recording
  readonly live: LivePath
  readonly dataDir: string
  readonly folder: string
  readonly url: string
  readonly segmentSeconds: number
  readonly store: Pick<RecordingStore, 'insertSegment' | 'growSegment' | 'updateSegment'>
  /** Measures and closes a file whose writer died. */
  readonly closeSegment: (segmentId: string, file: string, maxDurationMs: number) => Promise<number>
  /** The stream's picture is known. */
  readonly onOpened: (video: OpenedVideo) => Promise<void>
  /** Whether this very stream is still there; a worker is only started again while it is. */
  readonly isLive: () => boolean
  readonly clock: Clock
  readonly log: Log
}

export function startRecordingSession(options: RecordingSessionOptions): RecordingSession {
  const { recording, live, dataDir, store, clock, log } = options
  /** Ids of segments that are being written, by file. */
  const open = new Map<string, string>()
  let isStopping = false
  /** Of all segments of this session that have ended. */
  let recordedMs = 0
  const ageMs = Math.max(0, clock.now() - live.since)
  const startedAtMs = clock.steady()
  /** Writes to the database happen in order; a message never overtakes the one before. */
  let writes: Promise<void> = Promise.resolve()

  function enqueue(write: () => Promise<void>): void {
    writes = writes
      .then(write)
      .catch((error: unknown) => log.error({ err: error, path: live.path }, 'a recording could not be noted'))
  }

  const child = startChild<ToRecorder, FromRecorder>({
    name: 'recording',
    isForOne: true,
    startTurn: { when: 'later', owner: ownerOfPath(live.path) },
    entry: new URL('../media/recording/worker.js', import.meta.url),
    clock,
    log,
    restart: (exit, crashes) =>
      isStopping || !options.isLive() ? neverRestart(exit, crashes) : alwaysRestart(exit, crashes),
    maxMemoryBytes: MAX_REMUX_WORKER_BYTES,
    stopAfterMs: 5_000,
    onStart: (send) =>
      send({
        url: options.url,
        folder: options.folder,
        segmentSeconds: options.segmentSeconds,
        liveForMs: liveForMs(),
      }),
    onMessage(message) {
      if (message.type === 'opened') return enqueue(() => options.onOpened(message.video))
      if (message.type !== 'ended') return enqueue(() => note(message))
      if (message.sentence && !isStopping)
        log.warn({ path: live.path, reason: message.sentence }, 'recording was interrupted')
    },
    // What the worker left open when it died is closed at once, so that the gap shows while the recording goes on.
    onExit: () => enqueue(closeOpen),
  })

  async function note(message: Exclude<FromRecorder, { type: 'ended' | 'opened' }>): Promise<void> {
    const file = relative(dataDir, message.file)
    if (message.type === 'segment-started') {
      const id = orderedUuid()
      open.set(file, id)
      return store.insertSegment({
        id,
        recordingId: recording.id,
        accountId: recording.accountId,
        file,
        startedAt: message.startedAtMs,
        durationMs: null,
        sizeBytes: 0,
      })
    }
    const id = open.get(file)
    if (!id) return
    if (message.type === 'segment-grown') return store.growSegment(id, message.sizeBytes)
    open.delete(file)
    const durationMs = Math.min(message.durationMs, leftMs())
    recordedMs += durationMs
    await store.updateSegment(id, { durationMs, sizeBytes: message.sizeBytes })
  }

  async function closeOpen(): Promise<void> {
    for (const [file, id] of open) {
      recordedMs += await options.closeSegment(id, file, leftMs())
      open.delete(file)
    }
  }

  /** Whatever a stream says of its time, and however often a worker begins anew, no more was recorded than passed. */
  function leftMs(): number {
    return Math.max(0, liveForMs() - recordedMs)
  }

  /** The wall clock may be set meanwhile, as by a device that has just found the network. */
  function liveForMs(): number {
    return ageMs + clock.steady() - startedAtMs
  }

  return {
    recording,
    live,
    async stop() {
      isStopping = true
      await child.stop()
      await writes
    },
  }
}
