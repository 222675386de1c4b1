import { type Balance } from '../core/balance.ts'
import { type EndState } from '../core/process-states.ts'
import { type Clock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { type OutputStatus } from '../core/output-status.ts'
import { type Scene } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type FromWorker, type PipelineCommand, type PipelineOrder, type PipelineStats } from '../pipeline/messages.ts'
import { startCharging } from './charging.ts'
import { createLatestWrite } from './latest-write.ts'
import { createMeter } from './meter.ts'
import { type LaunchWorker } from './pipeline-worker.ts'
import { type Process, type StopReason } from './process.ts'
import { startError } from './start-error.ts'
import { afterCommand, initialSettings, type WorkerSettings } from './worker-settings.ts'

/** One process while it lives: its worker, its state, its meter, and what of it is written down. */
export interface LiveProcess {
  /** As it is at this moment. */
  readonly process: Process
  /** Resolves when the first picture is there; rejects with what the caller of `/start` is told. */
  readonly started: Promise<void>
  /** Resolves when it has ended by whatever cause, and that is written down. */
  readonly ended: Promise<void>
  /** To its worker; the next one starts with what lasts of it. */
  send(command: PipelineCommand): void
  /** How it stands with an output, once its worker has said so. */
  outputStatus(outputId: string): OutputStatus | undefined
  /** Ends the worker and starts another that goes on from there, with the same outputs; that is no crash. */
  relaunch(): void
  stop(reason: StopReason): Promise<void>
  /** The service is going, the process stays: it goes on at the next start. */
  leave(): Promise<void>
}

export interface LiveProcessDeps {
  readonly launch: LaunchWorker
  /** What a worker is to do now. */
  orderFor(process: Process, progress: Progress, settings: WorkerSettings): PipelineOrder
  readonly store: { update(process: Process): Promise<void> }
  charge(process: Process, totalMs: number): Promise<Balance>
  onScene(process: Process, scene: Scene): void
  onState(process: Process, previous: Process): void
  onPicture(process: Process, jpeg: Uint8Array): void
  /** Also while it is being stopped: a worker tells what it still has before it goes. */
  onTrackPictures(process: Process, pictures: readonly TrackPicture[]): void
  readonly clock: Clock
  readonly log: Log
}

/** How far earlier workers of a process came. */
export interface Progress {
  readonly highestTrackId: number
  /** Of a file; null before its first frame. */
  readonly ptsSeconds: number | null
}

const START_WITHIN_MS = 30_000
/** A running worker says something every second; one that is silent for so long hangs. */
const SILENT_FOR_MS = 15_000
/** Ids are noted ahead, this many at a time, so that none is given twice even if we are killed. */
const RESERVED_TRACK_IDS = 100

export function startLiveProcess(
  initial: Process,
  initialOutputs: readonly VideoOutput[],
  deps: LiveProcessDeps,
): LiveProcess {
  const { store, clock, log } = deps
  const started = createDeferred()
  const ended = createDeferred()
  started.promise.catch(() => {})
  const over = new AbortController()
  const meter = createMeter(clock, initial.consumedMs)

  let process = initial
  /** How it stands with worker and source, whether or not the user has paused. */
  let link: 'starting' | 'running' | 'reconnecting' = initial.startedAt === null ? 'starting' : 'reconnecting'
  /** What is wrong with worker or source. */
  let trouble: string | null =
    link === 'starting' ? null : 'The service was restarted; the source is being opened again.'
  let isPaused = initial.state === 'paused'
  let progress: Progress = { highestTrackId: initial.lastTrackId, ptsSeconds: null }
  /** Counts of workers that crashed. */
  let before: Pick<PipelineStats, 'droppedFrames' | 'decodeErrors'> = initial.stats ?? {
    droppedFrames: 0,
    decodeErrors: 0,
  }
  let heardMs = clock.steady()
  let settings = initialSettings(initialOutputs)
  const outputStatuses = new Map<string, OutputStatus>()

  const record = createLatestWrite(
    () => store.update(process),
    clock,
    (error) => log.error({ err: error, process_uuid: initial.id }, 'the state of a process could not be written'),
  )

  function change(changes: Partial<Process>): void {
    const previous = process
    process = { ...process, ...changes, consumedMs: meter.ms }
    record.touch()
    if (process.state !== previous.state) deps.onState(process, previous)
  }

  /** Brings state and meter in line with worker, source and user. */
  function settle(): void {
    if (over.signal.aborted) return
    const isRunning = link === 'running' && !isPaused
    meter.setRunning(isRunning)
    change({ state: isPaused ? 'paused' : link, error: trouble })
    if (!isRunning) void charging.now()
  }

  function onMessage(message: FromWorker): void {
    if (message.type === 'track-pictures') return deps.onTrackPictures(process, message.pictures)
    if (over.signal.aborted) return
    heardMs = clock.steady()
    meter.noteSign()
    switch (message.type) {
      case 'running':
        link = 'running'
        trouble = null
        if (process.startedAt === null) begin(message.startedAtMs)
        settle()
        return started.resolve()
      case 'reconnecting':
        link = 'reconnecting'
        trouble = message.sentence
        return settle()
      case 'scene':
        return onScene(message.scene)
      case 'stats':
        process = { ...process, stats: withEarlier(message.stats) }
        return
      case 'output':
        if (settings.outputs.some(({ id }) => id === message.outputId))
          outputStatuses.set(message.outputId, { state: message.state, error: message.sentence })
        return
      case 'picture':
        return deps.onPicture(process, message.jpeg)
      case 'warning':
        return log.warn({ process_uuid: process.id }, message.sentence)
      case 'finished':
        started.resolve()
        return void end('finished', 'source-ended')
      case 'failed':
        if (message.ffmpegMessage !== undefined)
          log.info({ process_uuid: initial.id, ffmpeg: message.ffmpegMessage }, 'a source could not be read')
        started.reject(startError(message.reason, message.sentence))
        return void end('failed', message.reason, message.sentence)
    }
  }

  function begin(startedAt: number): void {
    change({ startedAt })
    if (isPaused) worker.send({ type: 'pause' })
  }

  function onScene(scene: Scene): void {
    const highestTrackId = scene.tracks.reduce((highest, { id }) => Math.max(highest, id), progress.highestTrackId)
    progress = { highestTrackId, ptsSeconds: scene.frame.ptsSeconds }
    if (highestTrackId > process.lastTrackId - RESERVED_TRACK_IDS / 2)
      change({ lastTrackId: highestTrackId + RESERVED_TRACK_IDS })
    deps.onScene(process, scene)
  }

  function withEarlier(stats: PipelineStats): PipelineStats {
    const { droppedFrames, decodeErrors } = stats
    return {
      ...stats,
      droppedFrames: before.droppedFrames + droppedFrames,
      decodeErrors: before.decodeErrors + decodeErrors,
    }
  }

  function onCrash(verdict: 'restart' | 'give-up', sentence = 'The pipeline crashed.'): void {
    if (over.signal.aborted) return
    // What crashes before its first picture would do so again, and somebody waits for an answer.
    if (verdict === 'give-up' || process.startedAt === null) {
      started.reject(new AppError('pipeline-failed', { reason: sentence }))
      return void end('failed', 'pipeline-crashed', `${sentence} The service's log tells how; start the process again.`)
    }
    before = process.stats ?? before
    outputStatuses.clear()
    link = 'reconnecting'
    trouble = `${sentence} It is being started again.`
    change({ restarts: process.restarts + 1 })
    settle()
  }

  function relaunch(): void {
    // Before its first picture it is being launched as it is.
    if (over.signal.aborted || process.startedAt === null) return
    before = process.stats ?? before
    outputStatuses.clear()
    link = 'reconnecting'
    trouble = 'The pipeline is being launched anew.'
    settle()
    void worker.relaunch()
  }

  async function release(): Promise<void> {
    meter.setRunning(false)
    await worker.stop()
    await charging.now()
  }

  async function end(state: EndState, reason: StopReason, error: string | null = null): Promise<void> {
    if (over.signal.aborted) return ended.promise
    over.abort()
    if (state === 'stopped') change({ state: 'stopping' })
    await release()
    change({ state, stopReason: reason, error, stoppedAt: clock.now() })
    await record.flush()
    // For who still waits for a start that was stopped.
    started.reject(new AppError('process-not-live', { process_uuid: initial.id, state }))
    ended.resolve()
  }

  async function watchSilence(): Promise<void> {
    while (!over.signal.aborted) {
      const sleptAt = clock.steady()
      await clock.sleep(SILENT_FOR_MS / 3, over.signal)
      // It was we who did not listen for a while: what the worker has said meanwhile waits to be read.
      if (clock.steady() - sleptAt > (SILENT_FOR_MS * 2) / 3) heardMs = clock.steady()
      if (over.signal.aborted || link !== 'running' || clock.steady() - heardMs < SILENT_FOR_MS) continue
      log.error({ process_uuid: initial.id }, 'a worker hangs and is killed')
      heardMs = clock.steady()
      worker.kill()
    }
  }

  async function watchStart(): Promise<void> {
    await clock.sleep(START_WITHIN_MS, over.signal)
    if (process.startedAt !== null || over.signal.aborted) return
    const sentence = 'No picture was there in time.'
    started.reject(startError('source-unreadable', sentence))
    await end('failed', 'source-unreadable', sentence)
  }

  const charging = startCharging({
    meter,
    async charge(totalMs) {
      const balance = await deps.charge(process, totalMs)
      // Noted with the process too: should we be killed, its meter goes on from there.
      change({})
      return balance
    },
    onEmpty: () => void end('stopped', 'usage-limit'),
    onError: (error) => log.error({ err: error, process_uuid: initial.id }, 'minutes could not be charged'),
    clock,
    signal: over.signal,
  })
  const worker = deps.launch(initial.id, {
    order: () => deps.orderFor({ ...process, state: isPaused ? 'paused' : process.state }, progress, settings),
    onMessage,
    onCrash,
  })
  void watchStart()
  void watchSilence()
  if (link === 'reconnecting') settle()

  function setPaused(paused: boolean): void {
    isPaused = paused
    // Somebody waits for the first picture, so a pause begins after it.
    if (process.startedAt !== null) worker.send({ type: paused ? 'pause' : 'resume' })
    settle()
  }

  return {
    get process() {
      return { ...process, consumedMs: meter.ms }
    },
    started: started.promise,
    ended: ended.promise,
    send(command) {
      settings = afterCommand(settings, command)
      if (command.type === 'pause' || command.type === 'resume') return setPaused(command.type === 'pause')
      if (command.type === 'detach') outputStatuses.delete(command.outputId)
      worker.send(command)
    },
    outputStatus: (outputId) => outputStatuses.get(outputId),
    relaunch,
    stop: (reason) => end('stopped', reason),
    async leave() {
      if (over.signal.aborted) return ended.promise
      over.abort()
      started.reject(new AppError('shutting-down'))
      await release()
      change({})
      await record.flush()
    },
  }
}
