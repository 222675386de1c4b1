import { type AttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { type DigestProof, isDigestProofOf } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { type Account } from '../core/words.ts'
import { type AccountStore } from './accounts.store.ts'
import { hashApiKey } from './api-key.ts'

export interface AuthenticatorDeps {
  readonly store: Pick<AccountStore, 'findByKeyHash' | 'findWithHa1'>
  readonly limiter: AttemptLimiter
  readonly clock: Clock
}

/** Tells who asks, or throws an error that says what is wrong with the key. */
export interface Authenticator {
  byKey(key: string | undefined, address: string): Promise<Account>
  /** Who has the key with this hash; for those who have shown the key before. */
  byKeyHash(sha256: string): Promise<Account>
  /** For RTSP's Digest: no key is sent, only a proof of knowing it. */
  byDigest(username: string, proof: DigestProof, address: string): Promise<Account>
}

const MAX_KNOWN_KEYS = 1000

/**
 * Keys are looked up by their hash, so how long an answer takes tells nothing about a key. An address that
 * guesses wrong too often must wait; keys that have worked before still pass, so that a guesser behind the
 * same proxy can't lock everybody out.
 */
export function createAuthenticator({ store, limiter, clock }: AuthenticatorDeps): Authenticator {
  const knownGood = new Set<string>()

  function remember(sha256: string): void {
    knownGood.delete(sha256)
    knownGood.add(sha256)
    if (knownGood.size > MAX_KNOWN_KEYS) knownGood.delete(knownGood.values().next().value!)
  }

  function checkAttempts(address: string): void {
    const waitSeconds = Math.ceil(limiter.waitMs(address) / 1000)
    if (waitSeconds === 0) return
    throw new AppError('too-many-attempts', { retry_after_seconds: waitSeconds }, { retryAfterSeconds: waitSeconds })
  }

  function refuse(address: string): never {
    limiter.recordFailure(address)
    throw new AppError('api-key-invalid')
  }

  function checkExpiry({ expirationDate }: Account): void {
    if (isExpired(expirationDate, clock.now()))
      throw new AppError('api-key-expired', { expiration_date: expirationDate })
  }

  return {
    async byKey(key, address) {
      if (!key) throw new AppError('api-key-missing')
      const sha256 = hashApiKey(key)
      if (!knownGood.has(sha256)) checkAttempts(address)
      const account = await store.findByKeyHash(sha256)
      if (!account) {
        knownGood.delete(sha256)
        return refuse(address)
      }
      checkExpiry(account)
      remember(sha256)
      return account
    },
    async byKeyHash(sha256) {
      const account = await store.findByKeyHash(sha256)
      if (!account) throw new AppError('api-key-invalid')
      checkExpiry(account)
      return account
    },
    async byDigest(username, proof, address) {
      checkAttempts(address)
      const found = await store.findWithHa1(username)
      if (!found || !isDigestProofOf(found.ha1, proof)) return refuse(address)
      checkExpiry(found.account)
      return found.account
    },
  }
}

/** A key works through the whole of its last day, in UTC. */
export function isExpired(expirationDate: string | null, nowMs: number): boolean {
  return expirationDate !== null && nowMs >= Date.parse(expirationDate) + 86_400_000
}
