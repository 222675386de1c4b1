import { type Clock } from '../core/clock.ts'
import { isLive } from '../core/process-facts.ts'
import { type ProcessLedger } from './charging.ts'
import { type Process } from './process.ts'

export interface ChargedEndsDeps {
  readonly store: { update(process: Process): Promise<void> }
  readonly ledger: Pick<ProcessLedger, 'charge'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Writes processes, and the end of one only when the ledger has all that it consumed: nobody looks at the minutes of a process that
 * has ended, so what an outage or a kill had kept from the ledger until then would never be charged.
 */
export function withChargedEnds({ store, ledger, clock }: ChargedEndsDeps): ChargedEndsDeps['store'] {
  return {
    async update(process) {
      const { id, accountId, state, consumedMs } = process
      if (!isLive(state) && consumedMs > 0) await ledger.charge(id, accountId, consumedMs, clock.now())
      await store.update(process)
    },
  }
}
