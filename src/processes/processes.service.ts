import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page } from '../core/page.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type TelemetryPlan, type TelemetrySample } from '../core/telemetry.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type Log } from '../observe/log.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type VideoInput } from '../pipeline/messages.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type LiveProcess } from './live-process.ts'
import { isLive, type Process, type ProcessOptions, type StopReason } from './process.ts'
import { type ProcessPage, type ProcessStore } from './processes.store.ts'
import { type Supervisor } from './supervisor.ts'

/** What a process needs to know of a source. */
export interface ProcessSource {
  readonly id: string
  readonly accountId: string
  readonly type: 'file' | 'stream'
  readonly inputUrl: string
  readonly telemetryCfg: TelemetryCfg | null
}

export interface ProcessSources {
  /** Throws when the account has no such source. */
  find(account: Pick<Account, 'id'>, sourceId: string): Promise<ProcessSource>
  /** From now on a source that is processed stays. */
  addUser(user: { isProcessing(sourceId: string): boolean }): void
  /** Where the file of an uploaded video is, if it still is. */
  fileOf(sourceId: string): Promise<string | undefined>
  /** The path of our own media server that a stream is to be read from; null for one elsewhere. Throws when it is not its owner's. */
  pathToRead(sourceId: string): Promise<string | null>
}

export interface ProcessDeps {
  readonly store: ProcessStore
  readonly streams: Pick<Streams, 'livePaths'>
  readonly sources: ProcessSources
  readonly supervisor: Pick<Supervisor, 'start' | 'find' | 'list' | 'send'>
  /** The video outputs that are attached to a process. */
  readonly attachedOutputs: (processId: string) => Promise<VideoOutput[]>
  readonly telemetry: {
    begin(subject: {
      readonly processId: string
      readonly accountId: string
      readonly cfg: TelemetryCfg | null
      readonly onSample: (sample: TelemetrySample) => void
    }): TelemetryPlan | null
    end(processId: string): Promise<void>
  }
  /** What may be dialled for this account. */
  readonly outboundOf: (accountId: string) => Promise<OutboundRules>
  /** The outputs that keep the processed video of a process. */
  readonly recordingsOf: (process: Process) => VideoOutput[]
  /** Of a process that no supervisor looked after. */
  readonly onState: (process: Process, previous: Process) => void
  readonly clock: Clock
  readonly log: Log
}

const COULD_NOT_GO_ON =
  'The service was restarted and could not take the process up again; its log tells why. Start it again.'
const refusedToGoOn = ({ message }: AppError) =>
  `The service was restarted and did not take the process up again: ${maskSecrets(message)}`

export type ProcessService = ReturnType<typeof createProcessService>

export function createProcessService(deps: ProcessDeps) {
  const {
    store,
    streams,
    sources,
    supervisor,
    attachedOutputs,
    telemetry,
    outboundOf,
    recordingsOf,
    onState,
    clock,
    log,
  } = deps

  async function find(account: Pick<Account, 'id'>, processId: string): Promise<Process> {
    const live = supervisor.find(processId)?.process
    const process = live?.accountId === account.id ? live : await store.find(account.id, processId)
    if (!process) throw new AppError('process-not-found', { process_uuid: processId })
    return process
  }

  async function findLive(account: Account, processId: string): Promise<LiveProcess> {
    const { state } = await find(account, processId)
    const live = supervisor.find(processId)
    if (!live || state === 'stopping' || !isLive(state))
      throw new AppError('process-not-live', { process_uuid: processId, state })
    return live
  }

  async function inputOf(source: ProcessSource): Promise<VideoInput> {
    if (source.type === 'file') {
      const path = await sources.fileOf(source.id)
      if (path === undefined) throw new AppError('source-file-missing', { source_uuid: source.id })
      return { kind: 'file', path }
    }
    const path = await sources.pathToRead(source.id)
    return path === null ? { kind: 'address', url: source.inputUrl } : { kind: 'hub', path }
  }

  async function findSource({ accountId, sourceId }: Process): Promise<ProcessSource | undefined> {
    try {
      return await sources.find({ id: accountId }, sourceId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'source-not-found') return undefined
      throw error
    }
  }

  sources.addUser({
    isProcessing: (sourceId) => supervisor.list().some(({ process }) => process.sourceId === sourceId),
  })

  /** Ends a process that nobody runs. */
  async function writeEnd(process: Process, end: Pick<Process, 'state' | 'stopReason' | 'error'>): Promise<void> {
    const ended: Process = { ...process, ...end, stoppedAt: clock.now() }
    await store.update(ended)
    onState(ended, process)
  }
  const writeStopped = (process: Process, stopReason: StopReason) =>
    writeEnd(process, { state: 'stopped', stopReason, error: null })
  const writeFailed = (process: Process, stopReason: StopReason, error: string) =>
    writeEnd(process, { state: 'failed', stopReason, error })

  async function comeBack(process: Process): Promise<void> {
    if (process.state === 'stopping') return writeStopped(process, 'requested')
    // Nobody waits any more for the answer to this start.
    if (process.state === 'starting') return store.remove(process.id)
    if (process.sourceType === 'file')
      return writeFailed(
        process,
        'service-restart',
        'The service was restarted while the file was processed; start it again.',
      )
    const source = await findSource(process)
    if (!source) return writeFailed(process, 'source-lost', 'The source is no longer registered.')
    const outputs = [...recordingsOf(process), ...(await attachedOutputs(process.id))]
    launch(process, source, await inputOf(source), outputs, await outboundOf(process.accountId))
  }

  /** At once, so that nobody who looks for the process meanwhile finds a row without a supervisor. */
  function launch(
    process: Process,
    { telemetryCfg }: ProcessSource,
    input: VideoInput,
    outputs: readonly VideoOutput[],
    outbound: OutboundRules,
  ): LiveProcess {
    const plan = telemetry.begin({
      processId: process.id,
      accountId: process.accountId,
      cfg: telemetryCfg,
      onSample: (sample) => supervisor.send(process.id, { type: 'telemetry', sample }),
    })
    const live = supervisor.start(process, { input, telemetry: plan, outbound }, outputs)
    void live.ended.then(() => telemetry.end(process.id))
    return live
  }

  /** False when it had ended before. */
  async function end(process: Process, reason: StopReason): Promise<boolean> {
    const live = supervisor.find(process.id)
    if (live) await live.stop(reason)
    // Nobody looks after it, so nobody else will ever write its end.
    else if (isLive(process.state)) await writeStopped(process, reason)
    else return false
    return true
  }

  return {
    find,

    async start(account: Account, sourceId: string, options: ProcessOptions): Promise<Process> {
      const source = await sources.find(account, sourceId)
      const input = await inputOf(source)
      const outbound = await outboundOf(account.id)
      if (input.kind === 'hub' && !streams.livePaths.isLive(input.path))
        throw new AppError('source-not-live', { reason: `Nothing is being published to ${input.path}.` })

      const process: Process = {
        id: orderedUuid(),
        accountId: account.id,
        sourceId,
        sourceUrl: source.inputUrl,
        sourceType: source.type,
        options: {
          ...options,
          isRecorded: account.features.processRecording,
          isReported: account.features.trackLogger,
        },
        state: 'starting',
        createdAt: clock.now(),
        startedAt: null,
        stoppedAt: null,
        stopReason: null,
        error: null,
        restarts: 0,
        lastTrackId: 0,
        consumedMs: 0,
        stats: null,
      }
      const outcome = await store.insertWithinLimits(account, process)
      if (outcome === 'process-limit-reached') throw new AppError(outcome, { limit: account.limits.maxProcesses })
      if (outcome === 'usage-limit-reached') throw new AppError(outcome)

      let live: LiveProcess | undefined
      try {
        live = launch(process, source, input, recordingsOf(process), outbound)
        await live.started
        return live.process
      } catch (error) {
        // A start that came to nothing leaves nothing behind.
        await live?.ended
        await store.remove(process.id)
        throw error
      }
    },

    async list(account: Account, page: ProcessPage): Promise<Page<Process>> {
      const { items, nextCursor } = await store.list(account.id, page)
      return { items: items.map((process) => supervisor.find(process.id)?.process ?? process), nextCursor }
    },

    async pause(account: Account, processId: string): Promise<Process> {
      const live = await findLive(account, processId)
      live.send({ type: 'pause' })
      return live.process
    },

    async resume(account: Account, processId: string): Promise<Process> {
      const live = await findLive(account, processId)
      live.send({ type: 'resume' })
      return live.process
    },

    /** Throws when there is no such process, or when it has ended. */
    async checkLive(account: Account, processId: string): Promise<void> {
      await findLive(account, processId)
    },

    /** Answers which processes this stopped; one that had ended by itself is none of them. */
    async stop(account: Account, processId: string): Promise<string[]> {
      const process = await find(account, processId)
      return (await end(process, 'requested')) ? [processId] : []
    },

    async stopAll(account: Pick<Account, 'id'>, reason: StopReason = 'requested'): Promise<string[]> {
      const own = supervisor.list().flatMap(({ process }) => (process.accountId === account.id ? [process] : []))
      const running = new Set(own.map(({ id }) => id))
      // One that is starting is about to be looked after.
      const left = (await store.listUnended()).filter(
        ({ id, accountId, state }) => accountId === account.id && !running.has(id) && state !== 'starting',
      )
      const all = [...own, ...left]
      const areEnded = await Promise.all(all.map((process) => end(process, reason)))
      return all.filter((_, index) => areEnded[index]).map(({ id }) => id)
    },

    /** What ran when the service ended goes on, if it can. */
    async recover(): Promise<void> {
      for (const process of await store.listUnended()) {
        try {
          await comeBack(process)
        } catch (error) {
          const about = { process_uuid: process.id }
          // A refusal says what its owner can do; where in the code it was made helps nobody.
          if (error instanceof AppError)
            log.warn({ ...about, reason: error.message }, 'a process may not be taken up again')
          else log.error({ ...about, err: error }, 'a process could not be taken up again')
          const sentence = error instanceof AppError ? refusedToGoOn(error) : COULD_NOT_GO_ON
          await writeFailed(process, 'service-restart', sentence).catch((reason: unknown) =>
            log.error({ ...about, err: reason }, 'the state of a process could not be written'),
          )
        }
      }
    },
  }
}
