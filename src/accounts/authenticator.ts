import { type Account } from '../core/account.ts'
import { type AttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { type DigestProof, isDigestProofOf } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { isStorable } from '../core/storable-text.ts'
import { type AccountStore } from './accounts.store.ts'
import { hashApiKey } from './api-key.ts'

export interface AuthenticatorDeps {
  readonly store: Pick<AccountStore, 'findById' | 'findByKeyHash' | 'findWithHa1'>
  readonly limiter: AttemptLimiter
  readonly clock: Clock
}

/** Finds the account of a caller, or throws an error that says what is wrong with the key. */
export interface Authenticator {
  byKey(key: string | undefined, address: string): Promise<Account>
  /** The account whose key has this hash; for callers that have shown the key before. */
  byKeyHash(sha256: string): Promise<Account>
  /** For what goes on without a key being shown: throws when the account, or its master, is revoked or expired. */
  byId(accountId: string): Promise<Account>
  /** For RTSP's Digest: no key is sent, only a proof of knowing it. */
  byDigest(username: string, proof: DigestProof, address: string): Promise<Account>
  /** The same for somebody who was let in before and stays: attempts that failed meanwhile do not count. */
  byDigestAgain(username: string, proof: DigestProof): Promise<Account>
}

/**
 * Keys are looked up by their hash, so how long an answer takes says nothing about a key. What is right passes, whoever
 * else guesses at the same address; only what is wrong is counted, and answered late once there was too much of it
 * (docs/decisions/003-wrong-keys.md).
 */
export function createAuthenticator({ store, limiter, clock }: AuthenticatorDeps): Authenticator {
  async function refuse(address: string): Promise<never> {
    await limiter.recordFailure(address)
    throw new AppError('api-key-invalid')
  }

  function checked(account: Account | undefined): Account {
    if (!account) throw new AppError('api-key-invalid')
    const { expirationDate } = account
    if (isExpired(expirationDate, clock.now()))
      throw new AppError('api-key-expired', { expiration_date: expirationDate })
    return account
  }

  async function findProven(username: string, proof: DigestProof): Promise<Account | undefined> {
    const found = isStorable(username) ? await store.findWithHa1(username) : undefined
    return found && isDigestProofOf(found.ha1, proof) ? found.account : undefined
  }

  return {
    async byKey(key, address) {
      if (!key) throw new AppError('api-key-missing')
      return checked((await store.findByKeyHash(hashApiKey(key))) ?? (await refuse(address)))
    },
    byKeyHash: async (sha256) => checked(await store.findByKeyHash(sha256)),
    byId: async (accountId) => checked(await store.findById(accountId)),
    byDigest: async (username, proof, address) =>
      checked((await findProven(username, proof)) ?? (await refuse(address))),
    byDigestAgain: async (username, proof) => checked(await findProven(username, proof)),
  }
}

/** A key works through the whole of its last day, in UTC. */
export function isExpired(expirationDate: string | null, nowMs: number): boolean {
  return expirationDate !== null && nowMs >= Date.parse(expirationDate) + 86_400_000
}
