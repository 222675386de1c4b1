import { machineSteadyMs } from '../core/clock.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type RecordingMode } from '../core/recording-mode.ts'
import { MAX_REMUX_WORKER_BYTES } from '../core/worker-memory.ts'
import { type FromRecorder, type OpenedVideo, type ToRecorder } from '../media/messages.ts'
import { type LivePath } from '../streams/live-paths.ts'
import { startChild } from '../supervise/child.ts'
import { alwaysRestart, neverRestart } from '../supervise/restart-policy.ts'
import { type Recording } from './recordings.store.ts'
import { createSegmentList, type SegmentListOptions } from './segment-list.ts'

/** One stream being kept: its worker, and the rows of what the worker writes. */
export interface RecordingSession {
  readonly recording: Recording
  /** The stream's coming that this session belongs to. */
  readonly live: LivePath
  readonly mode: RecordingMode
  /** Resolves when the worker is gone and all that it reported is in the database; rejects when that is away, and can be called again. */
  stop(): Promise<void>
}

export interface RecordingSessionOptions extends Omit<SegmentListOptions, 'liveForMs' | 'steadyMs'> {
  readonly live: LivePath
  readonly mode: RecordingMode
  readonly folder: string
  readonly url: string
  readonly segmentSeconds: number
  /** The stream's picture is known. */
  readonly onOpened: (video: OpenedVideo) => Promise<void>
  /** Whether this very stream is still there; a worker is only started again while it is. */
  readonly isLive: () => boolean
}

export function startRecordingSession(options: RecordingSessionOptions): RecordingSession {
  const { recording, live, mode, clock, log } = options
  let isStopping = false
  const ageMs = Math.max(0, clock.now() - live.since)
  const startedAtMs = clock.steady()
  const list = createSegmentList({ ...options, liveForMs, steadyMs: machineSteadyMs })

  const child = startChild<ToRecorder, FromRecorder>({
    name: 'recording',
    subject: live.path,
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
      if (message.type === 'opened') return list.add(() => options.onOpened(message.video))
      if (message.type !== 'ended') return list.note(message)
      if (message.sentence && !isStopping)
        log.warn({ path: live.path, reason: message.sentence }, 'recording was interrupted')
    },
    onExit: () => list.onWorkerExit(),
  })

  /** The wall clock may be set meanwhile, as by a device that has just found the network. */
  function liveForMs(): number {
    return ageMs + clock.steady() - startedAtMs
  }

  return {
    recording,
    live,
    mode,
    async stop() {
      isStopping = true
      await child.stop()
      await list.flush()
    },
  }
}
