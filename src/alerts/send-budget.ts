import { type Clock } from '../core/clock.ts'

/**
 * How fast the alerts of an account write to the database. The one thread that answers everybody does that, so an
 * account has a rate of its own; what is beyond it waits, in the order in which it came, and delays nobody else.
 */
export interface SendBudget {
  /** Resolves when the account may write so many rows, or when the signal aborts; they count in any case. */
  take(accountId: string, rows: number, signal: AbortSignal): Promise<void>
}

const RATE_PER_SECOND = 200
/** What an account may hand over at once, after it had little to say. */
const BURST_MS = 2_000
/** Nobody waits for longer. */
const MAX_WAIT_MS = 60_000
/** What waits goes at such moments, so that much of it is written together. */
const STEP_MS = 100

export function createSendBudget(clock: Clock): SendBudget {
  /** The time at which all that an account has handed over will be made up for (a token bucket in one number). */
  const madeUpAtMs = new Map<string, number>()

  function forgetOthers(nowMs: number): void {
    for (const [accountId, atMs] of madeUpAtMs) if (atMs <= nowMs) madeUpAtMs.delete(accountId)
  }

  return {
    async take(accountId, rows, signal) {
      const nowMs = clock.steady()
      const fromMs = Math.max(nowMs, madeUpAtMs.get(accountId) ?? nowMs)
      if (!madeUpAtMs.has(accountId)) forgetOthers(nowMs)
      const untilMs = fromMs + (rows * 1000) / RATE_PER_SECOND
      madeUpAtMs.set(accountId, Math.min(untilMs, nowMs + BURST_MS + MAX_WAIT_MS))
      const mayGoAtMs = fromMs - BURST_MS
      if (mayGoAtMs > nowMs) await clock.sleep(Math.ceil(mayGoAtMs / STEP_MS) * STEP_MS - nowMs, signal)
    },
  }
}
