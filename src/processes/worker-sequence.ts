import { once } from '../core/once.ts'
import { type Scene } from '../core/scene.ts'
import { type OutputStatus, type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import {
  type PipelineCommand,
  type PipelineOrder,
  type PipelineReport,
  type PipelineStats,
} from '../pipeline/messages.ts'
import { type LaunchWorker, type PipelineWorker, type WorkerEvents } from './pipeline-worker.ts'
import { type Process } from './process.ts'
import { afterCommand, initialSettings, type WorkerSettings } from './worker-settings.ts'

/** The workers of one process, one after the other: each goes on from where the one before it ended. */
export interface WorkerSequence {
  /** Of the workers so far. */
  readonly progress: Progress
  /** To the worker of now; the next one starts with what lasts of it. */
  send(command: PipelineCommand): void
  /** As its worker last reported it; undefined before. */
  outputStatus(outputId: string): OutputStatus | undefined
  /** What is wrong with one of its outputs; null when they are all well. */
  readonly outputError: string | null
  /** Ends the worker and starts another; that is no crash. */
  relaunch(): void
  /** Ends the worker until `wake` starts another. Whatever it still says is dropped, but for pictures of tracks. */
  rest(): Promise<void>
  /** Starts a worker. `onLaunched` is called when it has started, and again when it is restarted after a crash. */
  wake(onLaunched?: () => void): void
  stop(): Promise<void>
}

/** How far earlier workers of a process came. */
export interface Progress {
  readonly highestTrackId: number
  /** Of a file; null before its first frame. */
  readonly ptsSeconds: number | null
}

/** What concerns the process; the rest is kept here, or only logged. */
export type ProcessMessage = Exclude<PipelineReport, { type: 'output' | 'warning' }>

export interface WorkerSequenceDeps extends Pick<WorkerEvents, 'onCrash'> {
  readonly launch: LaunchWorker
  /** The first worker is started by `wake`. */
  readonly isResting: boolean
  /** The first worker has been started, where `wake` did not start it; it may have waited for its turn. */
  onLaunched(): void
  /** Its worker is alive: called for each of its messages until the process begins to end. */
  onSign(): void
  /** With the figures of all workers in its stats. While the process ends, only pictures of tracks are passed on. */
  onMessage(message: ProcessMessage): void
  /** What the next worker is to do. */
  order(progress: Progress, settings: WorkerSettings): PipelineOrder
  readonly log: Log
  /** Aborted when the process is about to end. */
  readonly signal: AbortSignal
}

/** What each worker counts anew, and a process adds up; and what holds until its next worker knows better. */
type Counts = Pick<PipelineStats, 'droppedFrames' | 'decodeErrors' | 'lastFrameAtMs'>

export function startWorkerSequence(
  process: Process,
  outputs: readonly VideoOutput[],
  deps: WorkerSequenceDeps,
): WorkerSequence {
  const { id, lastTrackId, stats: earlierStats } = process
  const { log, signal } = deps
  let settings = initialSettings(outputs)
  let progress: Progress = { highestTrackId: lastTrackId, ptsSeconds: null }
  let stats: Counts = earlierStats ?? { droppedFrames: 0, decodeErrors: 0 }
  /** Of the workers before this one. */
  let earlier = stats
  const outputStatuses = new Map<string, OutputStatus>()
  let launches = 0
  /** Of the worker that was sent to rest last. */
  let stopping = Promise.resolve()

  function onMessage(message: PipelineReport): void {
    if (message.type === 'track-pictures') return deps.onMessage(message)
    if (signal.aborted) return
    deps.onSign()
    switch (message.type) {
      case 'output':
        return onOutputStatus(message.outputId, { state: message.state, error: message.sentence })
      case 'warning':
        return log.warn({ process_uuid: id }, message.sentence)
      default:
        return deps.onMessage(note(message))
    }
  }

  function note(message: ProcessMessage): ProcessMessage {
    if (message.type === 'scene') progress = afterScene(progress, message.scene)
    if (message.type === 'failed' && message.ffmpegMessage !== undefined)
      log.info({ process_uuid: id, ffmpeg: message.ffmpegMessage }, 'a source could not be read')
    if (message.type !== 'stats') return message
    const total = withEarlier(message.stats, earlier)
    stats = total
    return { ...message, stats: total }
  }

  function onOutputStatus(outputId: string, status: OutputStatus): void {
    if (settings.outputs.some((output) => output.id === outputId)) outputStatuses.set(outputId, status)
  }

  /** The next one starts counting and connecting anew. */
  function onWorkerLost(): void {
    earlier = stats
    outputStatuses.clear()
  }

  function launch(onLaunched = () => {}): PipelineWorker {
    const number = ++launches
    return deps.launch(process, {
      order() {
        onLaunched()
        return deps.order(progress, settings)
      },
      onMessage(message) {
        if (number === launches || message.type === 'track-pictures') onMessage(message)
      },
      onCrash(verdict, sentence) {
        if (number !== launches) return
        onWorkerLost()
        deps.onCrash(verdict, sentence)
      },
    })
  }

  let worker = deps.isResting ? undefined : launch(once(() => deps.onLaunched()))

  return {
    get progress() {
      return progress
    },
    send(command) {
      settings = afterCommand(settings, command)
      if (command.type === 'detach') outputStatuses.delete(command.outputId)
      worker?.send(command)
    },
    outputStatus: (outputId) => outputStatuses.get(outputId),
    get outputError() {
      return [...outputStatuses.values()].find(({ error }) => error !== null)?.error ?? null
    },
    relaunch() {
      onWorkerLost()
      void worker?.relaunch()
    },
    rest() {
      onWorkerLost()
      launches += 1
      stopping = worker?.stop() ?? stopping
      worker = undefined
      return stopping
    },
    wake: (onLaunched) => void (worker ??= launch(onLaunched)),
    stop: () => worker?.stop() ?? stopping,
  }
}

function afterScene({ highestTrackId }: Progress, { tracks, frame }: Scene): Progress {
  return {
    highestTrackId: tracks.reduce((highest, { id }) => Math.max(highest, id), highestTrackId),
    ptsSeconds: frame.ptsSeconds,
  }
}

function withEarlier(stats: PipelineStats, earlier: Counts): PipelineStats {
  const lastFrameAtMs = stats.lastFrameAtMs ?? earlier.lastFrameAtMs
  return {
    ...stats,
    ...(lastFrameAtMs !== undefined && { lastFrameAtMs }),
    droppedFrames: earlier.droppedFrames + stats.droppedFrames,
    decodeErrors: earlier.decodeErrors + stats.decodeErrors,
  }
}
