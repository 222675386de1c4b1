import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError, type InputError } from '../core/errors.ts'
import { inputInvalid } from '../core/refusals.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { isLive } from '../core/process-facts.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Capacity } from './capacity.ts'
import { type LiveProcess } from './live-process.ts'
import { type Process, type ProcessOptions, type StopReason } from './process.ts'
import { type ProcessEndWriter } from './process-end-writer.ts'
import { type ProcessLauncher } from './process-launcher.ts'
import { createProcessLists } from './process-lists.ts'
import { type ProcessSource, type ProcessSources } from './process-source.ts'
import { type ProcessStore } from './processes.store.ts'
import { type Supervisor } from './supervisor.ts'

export interface ProcessDeps {
  readonly store: ProcessStore
  readonly streams: Pick<Streams, 'canBeRead'>
  readonly sources: Pick<ProcessSources, 'find'>
  readonly supervisor: Pick<Supervisor, 'findLive' | 'listLiveProcesses' | 'handOver'>
  readonly launcher: ProcessLauncher
  readonly ends: Pick<ProcessEndWriter, 'writeStopped'>
  readonly capacity: Pick<Capacity, 'objectionTo'>
  /** Whether a process is started on a machine that is full. */
  readonly admit: 'always' | 'when-room'
  readonly clock: Clock
}

const FILE_IS_THERE: InputError = { path: 'query.when', message: 'A video file is there already: leave `when` out.' }

export type ProcessService = ReturnType<typeof createProcessService>

export function createProcessService(deps: ProcessDeps) {
  const { store, streams, sources, supervisor, launcher, ends, capacity, clock } = deps

  async function find(account: Pick<Account, 'id'>, processId: string): Promise<Process> {
    const live = supervisor.findLive(processId)?.process
    const process = live?.accountId === account.id ? live : await store.find(account.id, processId)
    if (!process) throw new AppError('process-not-found', { process_uuid: processId })
    return process
  }

  async function findLive(account: Account, processId: string): Promise<LiveProcess> {
    const { state } = await find(account, processId)
    const live = supervisor.findLive(processId)
    if (!live || state === 'stopping' || !isLive(state))
      throw new AppError('process-not-live', { process_uuid: processId, state })
    return live
  }

  /** False when it had ended before. */
  async function end(process: Process, reason: StopReason): Promise<boolean> {
    const live = supervisor.findLive(process.id)
    if (live) {
      const hadEnded = live.process.state === 'finished' || live.process.state === 'failed'
      // Also of one that had ended by itself: until that is written, a kill would start it again.
      await live.stop(reason)
      return !hadEnded
    }
    if (!isLive(process.state)) return false
    await ends.writeStopped(process, reason)
    return true
  }

  return {
    find,

    /** With a warning where the machine is full. */
    async start(
      account: Account,
      sourceId: string,
      options: ProcessOptions,
    ): Promise<{ readonly process: Process; readonly warning: string | undefined }> {
      const source = await sources.find(account, sourceId)
      const mayWait = options.begins !== 'now'
      if (mayWait && source.type === 'file') throw inputInvalid([FILE_IS_THERE])
      const prepared = await launcher.prepare(account.id, source)
      const { input } = prepared
      if (!mayWait && input.kind === 'hub' && !streams.canBeRead(input.path))
        throw new AppError('source-not-live', {
          reason: `Nothing is being published to ${input.path}; with when=live the process begins when it is.`,
        })

      const process = newProcess(account, source, options, clock.now())
      const outcome = await store.insertWithinLimits(account, process)
      if (outcome === 'process-limit-reached') throw new AppError(outcome, { limit: account.limits.maxProcesses })
      if (outcome === 'usage-limit-reached') throw new AppError(outcome)

      let live: LiveProcess | undefined
      try {
        // Nothing is awaited between the two, so that of many starts at once each sees those before it.
        const warning = capacity.objectionTo(options.model)
        if (warning !== undefined && deps.admit === 'when-room') throw new AppError('machine-full', { reason: warning })
        live = launcher.launch(process, prepared)
        if (!mayWait) await live.started
        return { process: live.process, warning }
      } catch (error) {
        // A start that came to nothing leaves nothing behind.
        await live?.ended
        await store.remove(process.id)
        throw error
      }
    },

    ...createProcessLists({ store, supervisor }),

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
      const own = supervisor
        .listLiveProcesses()
        .flatMap(({ process }) => (process.accountId === account.id ? [process] : []))
      const running = new Set(own.map(({ id }) => id))
      // One that is new is about to be run by the supervisor.
      const isNew = ({ state }: Process) => state === 'starting' || state === 'waiting'
      const unended = await store.listUnended(account.id)
      const left = unended.filter((process) => !running.has(process.id) && !isNew(process))
      const all = [...own, ...left]
      const areEnded = await Promise.all(all.map((process) => end(process, reason)))
      return all.filter((_, index) => areEnded[index]).map(({ id }) => id)
    },

    handOver: (processId: string): Promise<boolean> => handOver(processId, supervisor),
  }
}

/**
 * Ends its worker, and leaves it as it is for another service to take up. False for one that stays: it has ended, or is of a file, in
 * the middle of which nobody else could go on.
 */
async function handOver(processId: string, supervisor: Pick<Supervisor, 'findLive' | 'handOver'>): Promise<boolean> {
  const live = supervisor.findLive(processId)
  if (!live || live.process.sourceType === 'file') return false
  // Whoever starts it waits for its first picture, here.
  if (live.process.startedAt === null && live.process.options.begins === 'now') await live.started.catch(() => {})
  await supervisor.handOver(processId)
  return isLive(live.process.state)
}

function newProcess(account: Account, source: ProcessSource, options: ProcessOptions, createdAt: number): Process {
  return {
    id: orderedUuid(),
    accountId: account.id,
    sourceId: source.id,
    sourceUrl: source.inputUrl,
    sourceType: source.type,
    options: {
      ...options,
      isRecorded: account.features.processRecording,
      isReported: account.features.trackLogger,
    },
    state: options.begins === 'now' ? 'starting' : 'waiting',
    createdAt,
    startedAt: null,
    stoppedAt: null,
    stopReason: null,
    error: null,
    restarts: 0,
    lastTrackId: 0,
    consumedMs: 0,
    stats: null,
  }
}
