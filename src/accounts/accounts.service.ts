import { AppError } from '../core/errors.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Account, isMaster } from '../core/words.ts'
import { type KeyUpdate, type NewKey, toSeconds } from './accounts.schema.ts'
import {
  type AccountStore,
  type AccountWithBalance,
  type InsertOutcome,
  type NewAccount,
  type Rights,
} from './accounts.store.ts'
import { hashesOf, newApiKey } from './api-key.ts'
import { type LedgerStore } from './ledger.store.ts'

const GIB = 2 ** 30
const MIB = 2 ** 20

/** What a key may do unless it was made with other rights. */
export const defaultRights: Rights = {
  expiration_date: null,
  max_sources: 50,
  max_outputs: 50,
  max_attached_outputs: 8,
  max_processes: 4,
  max_video_upload_size_bytes: 500 * MIB,
  total_storage_size_bytes: 10 * GIB,
  track_logger: true,
  enhancement: true,
  process_recording: false,
  recording_retention_days: 7,
}

const MAX_CHILD_KEYS = 1000
/** What the first master key starts with, and as much again pending. */
const FIRST_MASTER_MINUTES = 100_000

export interface AccountDeps {
  readonly store: AccountStore
  readonly ledger: LedgerStore
  readonly bus: Bus<AppEvents>
  readonly clock: Clock
  readonly maxChildKeys?: number
}

export interface IssuedKey {
  readonly account: AccountWithBalance
  /** Shown once; only its hash is kept. */
  readonly key: string
}

export type AccountService = ReturnType<typeof createAccountService>

/** Keys and minutes. Methods that take a master act within its own children; the others are the operator's. */
export function createAccountService({ store, ledger, bus, clock, maxChildKeys = MAX_CHILD_KEYS }: AccountDeps) {
  async function find(username: string): Promise<AccountWithBalance> {
    const account = await store.findByUsername(username)
    if (!account) throw new AppError('key-not-found', { username })
    return account
  }

  function newAccount(username: string, parentId: string | null, rights: Partial<Rights>): NewAccount {
    return { id: orderedUuid(), username, parentId, createdAt: clock.now(), rights: { ...defaultRights, ...rights } }
  }

  async function checkInserted(outcome: InsertOutcome, username: string, masterId?: string): Promise<void> {
    if (outcome === 'inserted') return
    const balance = masterId === undefined ? undefined : await ledger.balance(masterId)
    throw new AppError(outcome, {
      username,
      limit: maxChildKeys,
      pending_minutes: Math.floor((balance?.pendingSeconds ?? 0) / 60),
    })
  }

  const service = {
    async createChild(master: Account, { username, minutes, ...rights }: NewKey): Promise<IssuedKey> {
      requireMaster(master)
      const key = newApiKey()
      const child = newAccount(username, master.id, rights)
      const outcome = await store.insertChild(master, child, hashesOf(username, key), toSeconds(minutes), maxChildKeys)
      await checkInserted(outcome, username, master.id)
      return { account: await find(username), key }
    },

    async createMaster(username: string, rights: Partial<Rights> = {}, key = newApiKey()): Promise<IssuedKey> {
      const outcome = await store.insertMaster(newAccount(username, null, rights), hashesOf(username, key))
      await checkInserted(outcome, username)
      return { account: await find(username), key }
    },

    /** At the first start: the account `admin`. With `givenKey` from the settings, its key is that one from now on. Answers a key only if it was made now. */
    async ensureMaster(givenKey: string | undefined): Promise<IssuedKey | undefined> {
      if ((await store.countMasters()) === 0) {
        const issued = await service.createMaster('admin', {}, givenKey)
        await service.grant('admin', { minutes: FIRST_MASTER_MINUTES, pendingMinutes: FIRST_MASTER_MINUTES })
        return issued
      }
      if (givenKey) await store.replaceKey((await find('admin')).id, hashesOf('admin', givenKey))
      return undefined
    },

    async findChild(master: Account, username: string): Promise<AccountWithBalance> {
      requireMaster(master)
      const child = await find(username)
      if (child.parentId !== master.id) throw new AppError('key-not-found', { username })
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
      const moved = await ledger.allocate(master.id, target.id, toSeconds(minutes), clock.now())
      if (!moved) await checkInserted('minutes-not-pending', username, master.id)
      return find(username)
    },

    find,
    listAll: () => store.listAll(),

    async update(account: Account, change: KeyUpdate): Promise<AccountWithBalance> {
      await store.update(account.id, change)
      return find(account.username)
    },

    /** A new key for the same account; the old one stops working at once. */
    async rotate(account: Account): Promise<IssuedKey> {
      const key = newApiKey()
      await store.replaceKey(account.id, hashesOf(account.username, key))
      return { account: await find(account.username), key }
    },

    async revoke(account: Account, { purge }: { purge: boolean }): Promise<void> {
      await store.revoke(account, clock.now())
      bus.emit('key-revoked', { accountId: account.id, username: account.username, purge })
    },

    async grant(username: string, { minutes = 0, pendingMinutes = 0 }): Promise<AccountWithBalance> {
      const { id } = await find(username)
      await ledger.grant(
        id,
        { remainingSeconds: toSeconds(minutes), pendingSeconds: toSeconds(pendingMinutes) },
        clock.now(),
      )
      return find(username)
    },
  }
  return service
}

function requireMaster(account: Account): void {
  if (!isMaster(account)) throw new AppError('master-key-required')
}
