import { type Clock } from '../core/clock.ts'
import { type Process, type StopReason } from './process.ts'

/** Ends processes that the supervisor does not run, so that nothing else will ever write their end. */
export interface ProcessEndWriter {
  writeStopped(process: Process, reason: StopReason): Promise<void>
  writeFailed(process: Process, reason: StopReason, error: string): Promise<void>
}

export interface ProcessEndWriterDeps {
  readonly store: { update(process: Process): Promise<void> }
  readonly onState: (process: Process, previous: Process) => void
  readonly clock: Pick<Clock, 'now'>
}

export function createProcessEndWriter({ store, onState, clock }: ProcessEndWriterDeps): ProcessEndWriter {
  async function write(process: Process, end: Pick<Process, 'state' | 'stopReason' | 'error'>): Promise<void> {
    const ended: Process = { ...process, ...end, stoppedAt: clock.now() }
    await store.update(ended)
    onState(ended, process)
  }

  return {
    writeStopped: (process, stopReason) => write(process, { state: 'stopped', stopReason, error: null }),
    writeFailed: (process, stopReason, error) => write(process, { state: 'failed', stopReason, error }),
  }
}
