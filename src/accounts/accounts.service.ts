import { type Account, FIRST_MASTER, isMaster } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type Clock, toZulu } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type KeyUpdate, type NewKey, toSeconds } from './accounts.schema.ts'
import {
  type AccountStore,
  type AccountWithBalance,
  type InsertOutcome,
  type NewAccount,
  type RevocableAccount,
  type RevokedAccount,
  type RotatedTokens,
} from './accounts.store.ts'
import { hashesOf, newApiKey } from './api-key.ts'
import { isExpired } from './authenticator.ts'
import { KEY_REVOKED } from './key-revoked.ts'
import { type Amount, type LedgerStore } from './ledger.store.ts'
import { defaultRights, firstMasterRights, type Rights } from './rights.ts'

const MAX_CHILD_KEYS = 1000
const FIRST_MASTER_MINUTES: Minutes = { minutes: 100_000, pendingMinutes: 100_000 }

/** To use, and to give to children. */
export interface Minutes {
  readonly minutes?: number
  readonly pendingMinutes?: number
}

export interface AccountDeps {
  readonly store: AccountStore
  readonly ledger: LedgerStore
  readonly clock: Clock
  /** Wakes who does the jobs that were added; the command line has nobody to wake. */
  readonly wakeJobs?: (kind: string) => void
  readonly maxChildKeys?: number
}

export interface IssuedKey {
  readonly account: AccountWithBalance
  /** Shown once; only its hash is kept. */
  readonly key: string
}

export interface RotatedKey extends IssuedKey {
  readonly sourceTokens: RotatedTokens
}

export type AccountService = ReturnType<typeof createAccountService>

/** Keys and minutes. Methods that take a master act within its own children; the others are the operator's. */
export function createAccountService({ store, ledger, clock, wakeJobs, maxChildKeys = MAX_CHILD_KEYS }: AccountDeps) {
  async function find(username: string): Promise<AccountWithBalance> {
    const account = await store.findByUsername(username)
    if (!account) throw new AppError('key-not-found', { username })
    return account
  }

  function newAccount(username: string, masterId: string | null, rights: Partial<Rights>): NewAccount {
    checkExpiry(rights)
    return { id: orderedUuid(), username, masterId, createdAt: clock.now(), rights: { ...defaultRights, ...rights } }
  }

  /** A slip of the pen would end a key at once, or make one that never worked. */
  function checkExpiry({ expiration_date: date = null }: Partial<Rights>): void {
    if (!isExpired(date, clock.now())) return
    const errors = [{ path: 'body.expiration_date', message: 'This day is over in UTC; give a later one, or null.' }]
    throw new AppError('expiration-date-past', { expiration_date: date }, { errors })
  }

  async function checkInserted(outcome: InsertOutcome, { username, masterId }: NewAccount): Promise<void> {
    if (outcome === 'inserted') return
    const revoked = outcome === 'username-taken' ? await store.findRevoked(username) : undefined
    // Who has no right to purge it learns nothing of it.
    const purge = revoked?.masterId === masterId ? howToFree(revoked) : ''
    throw new AppError(outcome, { username, limit: maxChildKeys, purge })
  }

  /** With `purge`, also one that was revoked before. */
  async function findRevocable(username: string, { purge }: { purge: boolean }): Promise<RevocableAccount> {
    const account = (await store.findByUsername(username)) ?? (purge ? await store.findRevoked(username) : undefined)
    if (!account) throw new AppError('key-not-found', { username })
    return account
  }

  const service = {
    async createChild(master: Account, { username, minutes, ...rights }: NewKey): Promise<IssuedKey> {
      requireMaster(master)
      const key = newApiKey()
      const child = newAccount(username, master.id, rights)
      const outcome = await store.insertChild(master, child, hashesOf(username, key), toSeconds(minutes), maxChildKeys)
      await checkInserted(outcome, child)
      return { account: await find(username), key }
    },

    async createMaster(
      username: string,
      {
        rights = {},
        minutes = {},
        key = newApiKey(),
      }: { rights?: Partial<Rights>; minutes?: Minutes; key?: string } = {},
    ): Promise<IssuedKey> {
      const account = newAccount(username, null, rights)
      await checkInserted(await store.insertMaster(account, hashesOf(username, key), toAmount(minutes)), account)
      return { account: await find(username), key }
    },

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
          const given = { rights: firstMasterRights, minutes: FIRST_MASTER_MINUTES, key }
          return await service.createMaster(FIRST_MASTER, given)
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

    async findChild(master: Account, username: string): Promise<AccountWithBalance> {
      requireMaster(master)
      const child = await find(username)
      if (child.masterId !== master.id) throw new AppError('key-not-found', { username })
      return child
    },

    async listChildren(master: Account, page: PageRequest): Promise<Page<AccountWithBalance>> {
      requireMaster(master)
      return store.listChildren(master.id, page)
    },

    async allocate(master: Account, username: string, minutes: number): Promise<AccountWithBalance> {
      requireMaster(master)
      // A master may also give its pending minutes to itself.
      const target = username === master.username ? await find(username) : await service.findChild(master, username)
      await ledger.allocate(master.id, target.id, toSeconds(minutes), clock.now())
      return find(username)
    },

    find,
    findRevocable,
    listAll: () => store.listAll(),

    async update(account: Account, change: KeyUpdate): Promise<AccountWithBalance> {
      checkExpiry(change)
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

    updateChild: async (master: Account, username: string, change: KeyUpdate) =>
      service.update(await service.findChild(master, username), change),

    rotateChild: async (master: Account, username: string, options: { revokeTokens: boolean }) =>
      service.rotate(await service.findChild(master, username), options),

    async revokeChild(master: Account, username: string, options: { purge: boolean }): Promise<void> {
      requireMaster(master)
      if (username === master.username) throw new AppError('own-key-not-revocable', { username })
      const child = await findRevocable(username, options)
      if (child.masterId !== master.id) throw new AppError('key-not-found', { username })
      await service.revoke(child, options)
    },
  }
  return service
}

function howToFree({ username, nameFreeAt }: RevokedAccount): string {
  if (nameFreeAt !== null)
    return `, or wait: the key that had the name was purged, and it is free from ${toZulu(nameFreeAt)} on`
  return `, or delete what the revoked key of that name has stored (DELETE /keys/${username}?purge=true, or aerie keys revoke ${username} --purge): five minutes later the name is free`
}

function requireMaster(account: Account): void {
  if (!isMaster(account)) throw new AppError('master-key-required')
}

function toAmount({ minutes = 0, pendingMinutes = 0 }: Minutes): Amount {
  return { remainingSeconds: toSeconds(minutes), pendingSeconds: toSeconds(pendingMinutes) }
}
