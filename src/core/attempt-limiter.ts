import { type Clock } from './clock.ts'

/**
 * Slows down guessing: each address may fail `burst` times at once, and gets one more try every
 * `refillMs`. Remembers at most `maxAddresses`; the one that failed longest ago is forgotten first.
 */
export interface AttemptLimiter {
  /** Milliseconds until this address may try again; 0 when it may now. */
  waitMs(address: string): number
  /** Takes one try from this address. */
  recordFailure(address: string): void
}

export interface AttemptLimiterOptions {
  readonly clock: Clock
  readonly burst?: number
  readonly refillMs?: number
  readonly maxAddresses?: number
}

export function createAttemptLimiter(options: AttemptLimiterOptions): AttemptLimiter {
  const { clock, burst = 20, refillMs = 3_000, maxAddresses = 10_000 } = options
  // An address's debt is the time at which all its tries will be back (a token bucket in one number).
  const fullAt = new Map<string, number>()

  return {
    waitMs(address) {
      const emptyUntil = (fullAt.get(address) ?? 0) - (burst - 1) * refillMs
      return Math.max(0, emptyUntil - clock.now())
    },
    recordFailure(address) {
      const next = Math.max(fullAt.get(address) ?? 0, clock.now()) + refillMs
      fullAt.delete(address)
      fullAt.set(address, next)
      if (fullAt.size > maxAddresses) fullAt.delete(fullAt.keys().next().value!)
    },
  }
}
