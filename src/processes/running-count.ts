import { type Clock } from '../core/clock.ts'
import { resultInTime } from '../core/node-exchange.ts'

export interface RunningCountDeps {
  readonly countHere: () => number
  /** By the database; undefined where this service is alone. */
  readonly countAll: (() => Promise<number>) | undefined
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** Anybody may ask, without a key. */
const ASK_EVERY_MS = 1_000

/**
 * How many processes run on all nodes. The database is asked once a second at most; while it does not answer it is as many as it was when
 * it last did, and before that as many as run here.
 */
export function createRunningCount({ countHere, countAll, clock }: RunningCountDeps): () => Promise<number> {
  let askedAtMs = -Infinity
  let known: number | undefined
  let asking: Promise<void> | undefined

  async function ask(count: () => Promise<number>): Promise<void> {
    known = (await resultInTime(count(), clock)) ?? known
  }

  return async () => {
    if (!countAll) return countHere()
    if (clock.steady() - askedAtMs >= ASK_EVERY_MS) {
      askedAtMs = clock.steady()
      asking = ask(countAll)
    }
    await asking
    return known ?? countHere()
  }
}
