import { type AttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Account } from '../core/words.ts'
import { hashApiKey } from './api-key.ts'

export interface AuthenticatorDeps {
  readonly store: { findByKeyHash(sha256: string): Promise<Account | undefined> }
  readonly limiter: AttemptLimiter
  readonly clock: Clock
}

/** Who a key belongs to, or an error that says what is wrong with it. */
export type Authenticate = (key: string | undefined, address: string) => Promise<Account>

const MAX_KNOWN_KEYS = 1000

/**
 * Keys are looked up by their hash, so how long an answer takes tells nothing about a key. An address that
 * guesses wrong too often must wait; keys that have worked before still pass, so that a guesser behind the
 * same proxy can't lock everybody out.
 */
export function createAuthenticator({ store, limiter, clock }: AuthenticatorDeps): Authenticate {
  const knownGood = new Set<string>()

  function remember(sha256: string): void {
    knownGood.delete(sha256)
    knownGood.add(sha256)
    if (knownGood.size > MAX_KNOWN_KEYS) knownGood.delete(knownGood.values().next().value!)
  }

  return async (key, address) => {
    if (!key) throw new AppError('api-key-missing')
    const sha256 = hashApiKey(key)
    const waitSeconds = Math.ceil(limiter.waitMs(address) / 1000)
    if (waitSeconds > 0 && !knownGood.has(sha256)) {
      throw new AppError('too-many-attempts', { retry_after_seconds: waitSeconds }, { retryAfterSeconds: waitSeconds })
    }
    const account = await store.findByKeyHash(sha256)
    if (!account) {
      knownGood.delete(sha256)
      limiter.recordFailure(address)
      throw new AppError('api-key-invalid')
    }
    if (isExpired(account.expirationDate, clock.now())) {
      throw new AppError('api-key-expired', { expiration_date: account.expirationDate })
    }
    remember(sha256)
    return account
  }
}

/** A key works through the whole of its last day, in UTC. */
export function isExpired(expirationDate: string | null, nowMs: number): boolean {
  return expirationDate !== null && nowMs >= Date.parse(expirationDate) + 86_400_000
}
