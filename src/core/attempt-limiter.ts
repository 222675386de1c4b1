import { type Clock } from './clock.ts'
import { dropOldest } from './drop-oldest.ts'
import { AppError } from './errors.ts'

/**
 * Slows down guessing and locks nobody out: it hears of wrong credentials only, after they were found to be wrong. Each
 * address may fail `burst` times at once, and once more every `refillMs`; the answers to what is beyond that are late.
 */
export interface AttemptLimiter {
  /** Counts a wrong credential. For an address that has failed too often it rejects, after `delayMs`, with `too-many-attempts`. */
  recordFailure(address: string): Promise<void>
}

export interface AttemptLimiterOptions {
  readonly clock: Clock
  readonly burst?: number
  readonly refillMs?: number
  readonly delayMs?: number
  /** Answers that wait at the same time, so that strangers take no more than that; one more is not held back. */
  readonly maxDelayed?: number
  /** The one that failed longest ago is forgotten first. */
  readonly maxAddresses?: number
}

export function createAttemptLimiter(options: AttemptLimiterOptions): AttemptLimiter {
  const { clock, burst = 20, refillMs = 3_000, delayMs = 2_000, maxDelayed = 200, maxAddresses = 10_000 } = options
  // An address's debt is the time, by the steady clock, at which all its tries will be back (a token bucket in one number).
  const fullAt = new Map<string, number>()
  let delayed = 0

  function waitMs(address: string): number {
    const emptyUntil = (fullAt.get(address) ?? 0) - (burst - 1) * refillMs
    return Math.max(0, emptyUntil - clock.steady())
  }

  function takeTry(address: string): void {
    const next = Math.max(fullAt.get(address) ?? 0, clock.steady()) + refillMs
    fullAt.delete(address)
    fullAt.set(address, next)
    dropOldest(fullAt, maxAddresses)
  }

  async function delay(): Promise<void> {
    if (delayed >= maxDelayed) return
    delayed++
    await clock.sleep(delayMs)
    delayed--
  }

  return {
    async recordFailure(address) {
      if (waitMs(address) === 0) return takeTry(address)
      await delay()
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs(address) / 1000))
      throw new AppError('too-many-attempts', { retry_after_seconds: retryAfterSeconds }, { retryAfterSeconds })
    },
  }
}
