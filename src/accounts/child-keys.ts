import { type Account, isMaster } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type KeyUpdate, type NewKey, toSeconds } from './accounts.schema.ts'
import { type AccountStore, type AccountWithBalance, type RevocableAccount } from './accounts.store.ts'
import { type IssuedKey, type RotatedKey } from './key-issuer.ts'
import { type LedgerStore } from './ledger.store.ts'

export interface ChildKeysDeps {
  readonly accounts: {
    find(username: string): Promise<AccountWithBalance>
    /** With `purge`, also one that was revoked before. */
    findRevocable(username: string, options: { purge: boolean }): Promise<RevocableAccount>
    update(account: Account, change: KeyUpdate): Promise<AccountWithBalance>
    rotate(account: Account, options: { revokeTokens: boolean }): Promise<RotatedKey>
    revoke(account: RevocableAccount, options: { purge: boolean }): Promise<unknown>
  }
  readonly issuer: { createChild(master: Account, wanted: NewKey): Promise<IssuedKey> }
  readonly store: Pick<AccountStore, 'listChildren'>
  readonly ledger: Pick<LedgerStore, 'allocate'>
  readonly clock: Clock
}

/** What a master may do with the keys of its own children, and with no others. */
export function createChildKeys({ accounts, issuer, store, ledger, clock }: ChildKeysDeps) {
  async function findChild(master: Account, username: string): Promise<AccountWithBalance> {
    requireMaster(master)
    const child = await accounts.find(username)
    if (child.masterId !== master.id) throw new AppError('key-not-found', { username })
    return child
  }

  async function findChangeable(master: Account, username: string): Promise<AccountWithBalance> {
    requireMaster(master)
    if (username === master.username) throw new AppError('own-key-not-changeable', { username })
    return findChild(master, username)
  }

  return {
    findChild,

    async createChild(master: Account, wanted: NewKey): Promise<IssuedKey> {
      requireMaster(master)
      return issuer.createChild(master, wanted)
    },

    async listChildren(master: Account, page: PageRequest): Promise<Page<AccountWithBalance>> {
      requireMaster(master)
      return store.listChildren(master.id, page)
    },

    async allocate(master: Account, username: string, minutes: number): Promise<AccountWithBalance> {
      requireMaster(master)
      // A master may also give its pending minutes to itself.
      const target = username === master.username ? await accounts.find(username) : await findChild(master, username)
      await ledger.allocate(master.id, target.id, toSeconds(minutes), clock.now())
      return accounts.find(username)
    },

    updateChild: async (master: Account, username: string, change: KeyUpdate) =>
      accounts.update(await findChangeable(master, username), change),

    rotateChild: async (master: Account, username: string, options: { revokeTokens: boolean }) =>
      accounts.rotate(await findChangeable(master, username), options),

    async revokeChild(master: Account, username: string, options: { purge: boolean }): Promise<void> {
      requireMaster(master)
      if (username === master.username) throw new AppError('own-key-not-revocable', { username })
      const child = await accounts.findRevocable(username, options)
      if (child.masterId !== master.id) throw new AppError('key-not-found', { username })
      await accounts.revoke(child, options)
    },
  }
}

function requireMaster(account: Account): void {
  if (!isMaster(account)) throw new AppError('master-key-required')
}
