import { type Balance } from '../core/minutes.ts'
import { type Clock } from '../core/clock.ts'
import { type LiveState } from '../core/process-facts.ts'
import { type Log } from '../observe/log.ts'
import { startCharging } from './charging.ts'
import { type Meter } from './meter.ts'
import { type Process, waitsForVideo } from './process.ts'
import { type ProcessRecord } from './process-record.ts'

/** Keeps state and minutes of a live process in line with its worker, its source and its user. */
export interface ProcessStatus {
  readonly condition: ProcessCondition
  update(changes: Partial<ProcessCondition>): void
  /** Stops the meter. */
  stopMeter(): void
  /** Resolves when the ledger has what was used until now. */
  charge(): Promise<void>
}

export interface ProcessStatusDeps {
  readonly record: Pick<ProcessRecord, 'current' | 'change'>
  readonly meter: Meter
  charge(process: Process, totalMs: number): Promise<Balance>
  /** There are no minutes left. */
  readonly onEmpty: () => void
  readonly clock: Clock
  readonly log: Log
  /** Aborted when the process is about to end; its state is not ours any more then. */
  readonly signal: AbortSignal
}

export function startProcessStatus(deps: ProcessStatusDeps): ProcessStatus {
  const { record, meter, onEmpty, clock, log, signal } = deps
  const { id } = record.current
  let condition = initialCondition(record.current)
  const charging = startCharging({
    meter,
    async charge(totalMs) {
      const balance = await deps.charge(record.current, totalMs)
      // Written with the process too: should we be killed, its meter goes on from there.
      record.change({})
      return balance
    },
    onEmpty,
    onError: (error) => log.error({ err: error, process_uuid: id }, 'minutes could not be charged'),
    clock,
    signal,
  })

  function update(changes: Partial<ProcessCondition>): void {
    if (signal.aborted) return
    const isAboutToRun = condition.link === 'waiting' && changes.link === 'starting'
    condition = { ...condition, ...changes }
    meter.setRunning(isRunning(condition))
    record.change({ state: stateOf(condition), error: condition.trouble })
    if (isAboutToRun) void charging.check()
    else if (!isRunning(condition)) void charging.now()
  }

  return {
    get condition() {
      return condition
    },
    update,
    stopMeter: () => meter.setRunning(false),
    charge: () => charging.now(),
  }
}

/** How a live process is: worker and source on one side, its user's wish on the other. */
export interface ProcessCondition {
  /** Of worker and source, whether or not the user has paused. */
  readonly link: 'waiting' | 'starting' | 'running' | 'reconnecting'
  /** What is wrong with worker or source. */
  readonly trouble: string | null
  readonly isPaused: boolean
}

/** One that had started before is taken up again after a restart of the service. */
export function initialCondition(process: Pick<Process, 'state' | 'startedAt' | 'options'>): ProcessCondition {
  const { state, startedAt } = process
  const isPaused = state === 'paused'
  if (state === 'waiting' || (startedAt === null && waitsForVideo(process)))
    return { link: 'waiting', trouble: null, isPaused }
  if (startedAt === null) return { link: 'starting', trouble: null, isPaused }
  return {
    link: 'reconnecting',
    trouble: 'The service was restarted; the source is being opened again.',
    isPaused,
  }
}

/** Only running time is charged. */
export function isRunning({ link, isPaused }: ProcessCondition): boolean {
  return link === 'running' && !isPaused
}

export function stateOf({ link, isPaused }: ProcessCondition): LiveState {
  return isPaused ? 'paused' : link
}
