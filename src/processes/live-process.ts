import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Balance } from '../core/minutes.ts'
import { type Scene } from '../core/scene.ts'
import { type LastSeen } from '../core/last-seen.ts'
import { type ScenePicture, type TrackPicture } from '../core/track-picture.ts'
import { type OutputStatus, type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type PipelineCommand, type PipelineFailure, type PipelineOrder } from '../pipeline/messages.ts'
import { type Shortage } from './machine-room.ts'
import { createMeter } from './meter.ts'
import { type LaunchWorker } from './pipeline-worker.ts'
import { createProcessLifetime, type ProcessEnd, type ProcessLifetime } from './process-lifetime.ts'
import { createProcessRecord, type ProcessRecord } from './process-record.ts'
import { type ProcessStatus, startProcessStatus, stateOf } from './process-status.ts'
import { type Process, type StopReason, waitsForVideo } from './process.ts'
import { startError } from './start-error.ts'
import { startVideoWait } from './video-wait.ts'
import { type ProcessMessage, type Progress, startWorkerSequence, type WorkerSequence } from './worker-sequence.ts'
import { type WorkerSettings } from './worker-settings.ts'

/** One process while it lives: its worker, its state, its meter, and what of it is written down. */
export interface LiveProcess {
  /** As it is at this moment. */
  readonly process: Process
  /** Pictures come from its source, whether or not its user has paused. */
  readonly isConnected: boolean
  /** Resolves when the first picture is there; rejects with the answer to the caller of `/start`. */
  readonly started: Promise<void>
  /** Resolves when it has ended, whatever the cause, and that is written down, or will be as soon as it can be. */
  readonly ended: Promise<void>
  /** Resolves when it has ended and that is written down, however long it takes. */
  readonly written: Promise<void>
  /** Resolves when it does not go on here any more: it has ended, or was handed over. */
  readonly gone: Promise<void>
  /** To its worker; the next one starts with what lasts of it. */
  send(command: PipelineCommand): void
  /** Video has come to where it reads: it need not wait any longer. */
  onVideo(): void
  /** As its worker last reported it; undefined before. */
  outputStatus(outputId: string): OutputStatus | undefined
  /** What its worker shows of how it goes. */
  vitals(): Vitals
  /** Its source has another address now. */
  setSourceUrl(url: string): void
  /** Ends the worker and starts another that goes on from there, with the same outputs; that is no crash. */
  relaunch(): void
  /** Rejects when that could not be written down yet: killed before it is, the service would start it again. */
  stop(reason: StopReason): Promise<void>
  /** The service is closing, the process stays: it goes on at the next start. */
  leave(): Promise<void>
  /** The same, but it goes on elsewhere; resolves when all of it is written, however long that takes. */
  handOver(): Promise<void>
}

export interface Vitals {
  /** The last picture; null before the first. */
  readonly lastFrame: LastSeen | null
  /** What is wrong with one of the outputs; null when they are all well. */
  readonly outputError: string | null
}

export interface LiveProcessDeps {
  readonly launch: LaunchWorker
  /** What a worker is to do now. */
  orderFor(process: Process, progress: Progress, settings: WorkerSettings): PipelineOrder
  /** Whether video is where it reads. */
  readonly isVideoThere: () => boolean
  readonly store: { update(process: Process): Promise<void> }
  charge(process: Process, totalMs: number): Promise<Balance>
  onScene(process: Process, scene: Scene): void
  onState(process: Process, previous: Process): void
  onPicture(process: Process, jpeg: Uint8Array): void
  onScenePicture(process: Process, picture: ScenePicture): void
  /** Also while it is being stopped: a worker sends what it still has before it ends. */
  onTrackPictures(process: Process, pictures: readonly TrackPicture[]): void
  /** What the machine has too little of now; null for nothing. */
  readonly shortage: () => Shortage | null
  readonly clock: Clock
  readonly log: Log
}

const START_TIMEOUT_MS = 30_000

export function startLiveProcess(
  initial: Process,
  initialOutputs: readonly VideoOutput[],
  deps: LiveProcessDeps,
): LiveProcess {
  const meter = createMeter(deps.clock, initial.consumedMs)
  const record = createProcessRecord(initial, { ...deps, meter })
  const lifetime = createProcessLifetime({ ...deps, record })
  const { signal } = lifetime
  const status = startProcessStatus({
    ...deps,
    record,
    meter,
    onEmpty: () => void lifetime.end({ state: 'stopped', stopReason: 'usage-limit' }),
    signal,
  })
  const interrupt = (trouble: string) => status.update({ link: 'reconnecting', trouble })

  function onMessage(message: ProcessMessage): void {
    if (message.type === 'track-pictures') return deps.onTrackPictures(record.current, message.pictures)
    switch (message.type) {
      case 'running':
        if (record.current.startedAt === null) begin(message.startedAtMs)
        // Otherwise those of before the loss, or of the flight before, would count as its last ones.
        record.notePicture()
        status.update({ link: 'running', trouble: null })
        videoWait.onPicture()
        return lifetime.markStarted()
      case 'reconnecting':
        return interrupt(message.sentence)
      case 'scene':
        record.reserveTrackIds(workers.progress.highestTrackId)
        return deps.onScene(record.current, message.scene)
      case 'stats':
        return record.setStats(message.stats)
      case 'picture':
        return deps.onPicture(record.current, message.jpeg)
      case 'scene-picture':
        return deps.onScenePicture(record.current, message.picture)
      case 'finished':
        lifetime.markStarted()
        return void lifetime.end({ state: 'finished', stopReason: 'source-ended' })
      case 'failed':
        return void fail(message.reason, message.sentence)
    }
  }

  function begin(startedAt: number): void {
    record.change({ startedAt })
    if (status.condition.isPaused) workers.send({ type: 'pause' })
  }

  async function fail(stopReason: PipelineFailure, error: string): Promise<void> {
    if (isGone(stopReason) && videoWait.begin()) return
    return lifetime.end({ state: 'failed', stopReason, error, refusal: startError(stopReason, error) })
  }

  function onCrash(verdict: 'restart' | 'give-up', sentence = 'The pipeline crashed.'): void {
    if (signal.aborted) return
    // What crashes before its first picture would do so again, and the caller of `/start` waits for an answer.
    if (verdict === 'give-up' || (record.current.startedAt === null && !waitsForVideo(record.current)))
      return void lifetime.end(crashEnd(sentence))
    record.change({ restarts: record.current.restarts + 1 })
    videoWait.onWorkerLost()
    interrupt(`${sentence} It is being started again.`)
  }

  const workers = startWorkerSequence(initial, initialOutputs, {
    ...deps,
    isResting: status.condition.link === 'waiting',
    onLaunched: () => void (record.current.startedAt === null && watchStart(record, lifetime, deps)),
    order: orderWithReservedIds(record, deps),
    onSign: () => meter.noteSign(),
    onMessage,
    onCrash,
    signal,
  })
  lifetime.onRelease(() => release(status, workers))
  // Taken up after a restart of the service it is no longer what was written of it.
  if (stateOf(status.condition) !== initial.state || status.condition.trouble !== null) status.update({})
  const videoWait = startVideoWait({ ...deps, record, status, workers, signal })

  return {
    get process() {
      return record.current
    },
    get isConnected() {
      return status.condition.link === 'running'
    },
    started: lifetime.started,
    ended: lifetime.ended,
    written: lifetime.written,
    gone: lifetime.gone,
    send(command) {
      const isPause = command.type === 'pause' || command.type === 'resume'
      // Before the first picture, the caller of `/start` waits for it: a pause begins after it.
      if (!isPause || record.current.startedAt !== null) workers.send(command)
      if (isPause) status.update({ isPaused: command.type === 'pause' })
    },
    onVideo() {
      videoWait.onVideo()
      workers.send({ type: 'retry' })
    },
    outputStatus: (outputId) => workers.outputStatus(outputId),
    vitals: () => ({ lastFrame: record.lastFrame, outputError: workers.outputError }),
    setSourceUrl: (sourceUrl) => record.change({ sourceUrl }),
    relaunch() {
      // Before its first picture it is being launched as it is; while it waits there is nothing to launch.
      if (signal.aborted || record.current.startedAt === null || status.condition.link === 'waiting') return
      videoWait.onWorkerLost()
      interrupt('The pipeline is being launched anew.')
      workers.relaunch()
    },
    stop: (stopReason) => lifetime.endWritten({ state: 'stopped', stopReason }),
    leave: () => lifetime.leave(),
    handOver: () => lifetime.handOver(),
  }
}

async function release(
  status: Pick<ProcessStatus, 'stopMeter' | 'charge'>,
  workers: Pick<WorkerSequence, 'stop'>,
): Promise<void> {
  status.stopMeter()
  await workers.stop()
  await status.charge()
}

/** Written ahead: clients see the first ids of a worker before anything that follows from them could be written. */
function orderWithReservedIds(
  record: Pick<ProcessRecord, 'current' | 'reserveTrackIds'>,
  { orderFor }: Pick<LiveProcessDeps, 'orderFor'>,
) {
  return (progress: Progress, settings: WorkerSettings): PipelineOrder => {
    record.reserveTrackIds(progress.highestTrackId)
    return orderFor(record.current, progress, settings)
  }
}

async function watchStart(
  record: Pick<ProcessRecord, 'current'>,
  { signal, end }: Pick<ProcessLifetime, 'signal' | 'end'>,
  { shortage, clock }: Pick<LiveProcessDeps, 'shortage' | 'clock'>,
): Promise<void> {
  await clock.sleep(START_TIMEOUT_MS, signal)
  if (!signal.aborted && record.current.startedAt === null) await end(startTimeoutEnd(shortage()))
}

/** On a full machine a good source comes too late as well, and its owner should not search there. */
function startTimeoutEnd(shortage: Shortage | null): ProcessEnd {
  const error = `No picture was there within ${START_TIMEOUT_MS / 1000} seconds`
  const stopReason = 'source-unreadable'
  if (shortage === null)
    return { state: 'failed', stopReason, error: `${error}.`, refusal: startError(stopReason, `${error}.`) }
  const reason = `${error}: this machine is short of ${SHORT_OF[shortage]}. Stop a process, or try again later.`
  return { state: 'failed', stopReason, error: reason, refusal: new AppError('machine-full', { reason }) }
}

const SHORT_OF: Readonly<Record<Shortage, string>> = { cpu: 'CPU time', memory: 'memory' }

const isGone = (reason: PipelineFailure) => reason === 'source-not-live' || reason === 'source-lost'

function crashEnd(sentence: string): ProcessEnd {
  const error = `${sentence} The service's log tells how; start the process again.`
  const refusal = new AppError('pipeline-failed', { reason: sentence })
  return { state: 'failed', stopReason: 'pipeline-crashed', error, refusal }
}
