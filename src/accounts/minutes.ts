import { toSeconds } from './accounts.schema.ts'
import { type Amount } from './ledger.store.ts'

/** To use, and to give to children. */
export interface Minutes {
  readonly minutes?: number
  readonly pendingMinutes?: number
}

export function toAmount({ minutes = 0, pendingMinutes = 0 }: Minutes): Amount {
  return { remainingSeconds: toSeconds(minutes), pendingSeconds: toSeconds(pendingMinutes) }
}
