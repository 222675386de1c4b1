import { randomBytes } from 'node:crypto'
import { type Account } from '../core/account.ts'
import { type AttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { sha256Of } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { isSessionSecret, toSessionSecret } from '../core/session-cookie.ts'
import { type SessionStore } from './sessions.store.ts'
import { type CodesOfNodes } from './codes-of-nodes.ts'

export interface SessionDeps {
  readonly store: SessionStore
  readonly codes: CodesOfNodes
  readonly keys: {
    /** Throws what is wrong with the key. */
    byKey(key: string | undefined, address: string): Promise<Account>
    /** The same for a key of which only the hash is known. */
    byKeyHash(sha256: string): Promise<Account>
    hashOf(key: string): string
  }
  /** Slows down guesses at codes; what is right passes. */
  readonly limiter: AttemptLimiter
  readonly clock: Clock
}

export interface SignedIn {
  readonly account: Account
  /** For the cookie; shown only here. */
  readonly secret: string
  readonly expiresAt: number
}

const LIFE_MS = 7 * 86_400_000
/** Of one key at a time; one more sign-in ends the oldest. */
const MAX_SESSIONS = 50

export type SessionService = ReturnType<typeof createSessionService>

/** Browsers that are signed in. Everything that a session may do, its key may; it ends with the key, at once. */
export function createSessionService({ store, codes, keys, limiter, clock }: SessionDeps) {
  async function open(account: Account, keySha256: string): Promise<SignedIn> {
    const secret = toSessionSecret(randomBytes(24).toString('base64url'))
    const createdAt = clock.now()
    const session = { secretSha256: sha256Of(secret), keySha256, createdAt, expiresAt: createdAt + LIFE_MS }
    await store.insertWithinLimit(session, MAX_SESSIONS)
    return { account, secret, expiresAt: session.expiresAt }
  }

  async function find(secret: string) {
    const session = await store.find(sha256Of(secret))
    if (!session || session.expiresAt <= clock.now()) throw new AppError('session-ended')
    const account = await keys.byKeyHash(session.keySha256).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'api-key-invalid' ? new AppError('session-ended') : error
    })
    return { account, session }
  }

  return {
    lifeSeconds: LIFE_MS / 1000,

    async signInByKey(key: string, address: string): Promise<SignedIn> {
      // A session does not beget others: with its key, all of them end.
      if (isSessionSecret(key)) throw new AppError('api-key-invalid')
      return open(await keys.byKey(key, address), keys.hashOf(key))
    },

    async signInByCode(code: string, address: string): Promise<SignedIn> {
      const keySha256 = await codes.take(code)
      if (keySha256 === undefined) {
        await limiter.recordFailure(address)
        throw new AppError('sign-in-code-invalid')
      }
      return open(await keys.byKeyHash(keySha256), keySha256)
    },

    /** A code for the caller that has shown this key or session. */
    async issueCode(credential: string) {
      if (!isSessionSecret(credential)) return codes.issue(keys.hashOf(credential))
      return codes.issue((await find(credential)).session.keySha256)
    },

    /** The account of a caller that shows a key, or a session in its place. */
    async authenticate(credential: string | undefined, address: string): Promise<Account> {
      if (credential === undefined || !isSessionSecret(credential)) return keys.byKey(credential, address)
      return (await find(credential)).account
    },

    /**
     * The same for who was let in before and stays. Failed attempts do not count: somebody whose key was revoked would keep
     * what it has by failing so often that it has to wait.
     */
    async recheck(credential: string | undefined): Promise<Account> {
      if (credential === undefined) throw new AppError('api-key-missing')
      return isSessionSecret(credential) ? (await find(credential)).account : keys.byKeyHash(keys.hashOf(credential))
    },

    end: (secret: string): Promise<void> => store.remove(sha256Of(secret)),
  }
}
