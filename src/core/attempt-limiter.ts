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

/** One that counts with others: an address has its tries of all of them together. */
export interface SharedAttemptLimiter extends AttemptLimiter {
  /** An address has used one of its tries here. What is beyond them is no more than slowed down, and not reported. */
  onTry(handler: (address: string) => void): void
  /** It has used so many elsewhere. */
  addTries(address: string, count: number): void
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

export function createAttemptLimiter(options: AttemptLimiterOptions): SharedAttemptLimiter {
  const { clock, burst = 20, refillMs = 3_000, delayMs = 2_000, maxDelayed = 200, maxAddresses = 10_000 } = options
  // An address's debt is the time, by the steady clock, at which all its tries will be back (a token bucket in one number).
  const fullAt = new Map<string, number>()
  const handlers: ((address: string) => void)[] = []
  let delayed = 0

  function waitMs(address: string): number {
    const emptyUntil = (fullAt.get(address) ?? 0) - (burst - 1) * refillMs
    return Math.max(0, emptyUntil - clock.steady())
  }

  function takeTries(address: string, count: number): void {
    const now = clock.steady()
    // Several may have taken the last ones at the same time: nobody waits for longer than for a whole burst.
    const next = Math.min(Math.max(fullAt.get(address) ?? 0, now) + count * refillMs, now + burst * refillMs)
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
      if (waitMs(address) === 0) {
        takeTries(address, 1)
        return handlers.forEach((handler) => handler(address))
      }
      await delay()
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs(address) / 1000))
      throw new AppError('too-many-attempts', { retry_after_seconds: retryAfterSeconds }, { retryAfterSeconds })
    },
    onTry: (handler) => void handlers.push(handler),
    addTries: takeTries,
  }
}
