import { type Account, FIRST_MASTER } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type KeyUpdate } from './accounts.schema.ts'
import { type AccountStore, type AccountWithBalance, type RevocableAccount } from './accounts.store.ts'
import { hashesOf, newApiKey } from './api-key.ts'
import { createChildKeys } from './child-keys.ts'
import { checkExpiry, createKeyIssuer, type IssuedKey, type NewMaster, type RotatedKey } from './key-issuer.ts'
import { KEY_REVOKED } from './key-revoked.ts'
import { type LedgerStore } from './ledger.store.ts'
import { type Minutes, toAmount } from './minutes.ts'
import { firstMasterRights } from './rights.ts'

export interface AccountDeps {
  readonly store: AccountStore
  readonly ledger: LedgerStore
  readonly clock: Clock
  /** Wakes the runner of the jobs that were added; the command line has none. */
  readonly wakeJobs?: (kind: string) => void
  readonly maxChildKeys?: number
}

export type AccountService = ReturnType<typeof createAccountService>

/** Keys and minutes. Methods that take a master act within its own children (`child-keys.ts`); the others are the operator's. */
export function createAccountService({ store, ledger, clock, wakeJobs, maxChildKeys }: AccountDeps) {
  const issuer = createKeyIssuer({ store, clock, maxChildKeys })

  async function find(username: string): Promise<AccountWithBalance> {
    const account = await store.findByUsername(username)
    if (!account) throw new AppError('key-not-found', { username })
    return account
  }

  const accounts = {
    find,
    listAll: () => store.listAll(),
    createMaster: (username: string, master?: NewMaster) => issuer.createMaster(username, master),

    /**
     * At the first start: the account `admin`. With `givenKey` from the settings, its key is that one from now on.
     * A key that is made here is given to `keep` before it is used, so that a crash never leaves one that nobody knows.
     * Answers a key only if it was made now.
     */
    async ensureMaster(givenKey: string | undefined, keep: (key: string) => void): Promise<IssuedKey | undefined> {
      if (!(await store.isUsernameTaken(FIRST_MASTER))) {
        const key = givenKey ?? newApiKey()
        if (!givenKey) keep(key)
        try {
          return await issuer.createMaster(FIRST_MASTER, { rights: firstMasterRights, key })
        } catch (error) {
          // Another start on the same database was faster.
          if (!(error instanceof AppError && error.code === 'username-taken')) throw error
        }
      }
      if (givenKey) {
        const { id } = await find(FIRST_MASTER)
        await store.replaceKey(id, hashesOf(FIRST_MASTER, givenKey), { revokeTokens: false, now: clock.now() })
      }
      return undefined
    },

    /** With `purge`, also one that was revoked before. */
    async findRevocable(username: string, { purge }: { purge: boolean }): Promise<RevocableAccount> {
      const account = (await store.findByUsername(username)) ?? (purge ? await store.findRevoked(username) : undefined)
      if (!account) throw new AppError('key-not-found', { username })
      return account
    },

    async update(account: Account, change: KeyUpdate): Promise<AccountWithBalance> {
      checkExpiry(change, clock.now())
      if (change.unlimited && account.masterId !== null && !(await ledger.balance(account.masterId)).isUnlimited)
        throw new AppError('unlimited-not-allowed')
      await store.update(account.id, change)
      return find(account.username)
    },

    /**
     * A new key for the same account; the old one stops working at once. Source tokens go on working, since cameras
     * publish with them and keys are replaced by schedule; `revokeTokens` is for when they may be known to others too.
     */
    async rotate(account: Account, { revokeTokens = false } = {}): Promise<RotatedKey> {
      const key = newApiKey()
      const hashes = hashesOf(account.username, key)
      const sourceTokens = await store.replaceKey(account.id, hashes, { revokeTokens, now: clock.now() })
      return { account: await find(account.username), key, sourceTokens }
    },

    /**
     * The key stops working at once, and with a master's those of its children; what runs for them is stopped by the
     * service, which gets a job for each. With `purge` their data go and their names are free soon, also of what was
     * revoked before. Answers the usernames whose keys worked until now.
     */
    async revoke(account: RevocableAccount, { purge }: { purge: boolean }): Promise<string[]> {
      const usernames = await store.revoke(account, purge, clock.now())
      wakeJobs?.(KEY_REVOKED)
      return usernames
    },

    async grant(username: string, minutes: Minutes): Promise<AccountWithBalance> {
      const { id } = await find(username)
      await ledger.grant(id, toAmount(minutes), clock.now())
      return find(username)
    },
  }
  return { ...accounts, ...createChildKeys({ accounts, issuer, store, ledger, clock }) }
}
