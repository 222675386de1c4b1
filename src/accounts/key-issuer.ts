import { type Account } from '../core/account.ts'
import { type Clock, toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type NewKey, toSeconds } from './accounts.schema.ts'
import {
  type AccountStore,
  type AccountWithBalance,
  type InsertOutcome,
  type NewAccount,
  type RevokedAccount,
  type RotatedTokens,
} from './accounts.store.ts'
import { hashesOf, newApiKey } from './api-key.ts'
import { isExpired } from './authenticator.ts'
import { type Minutes, toAmount } from './minutes.ts'
import { defaultRights, type Rights } from './rights.ts'

export interface KeyIssuerDeps {
  readonly store: Pick<AccountStore, 'insertMaster' | 'insertChild' | 'findByUsername' | 'findRevoked'>
  readonly clock: Clock
  readonly maxChildKeys?: number | undefined
}

export interface IssuedKey {
  readonly account: AccountWithBalance
  /** Shown once; only its hash is kept. */
  readonly key: string
}

export interface RotatedKey extends IssuedKey {
  readonly sourceTokens: RotatedTokens
}

export interface NewMaster {
  readonly rights?: Partial<Rights>
  readonly minutes?: Minutes
  readonly key?: string
}

const MAX_CHILD_KEYS = 1000

/** Makes accounts with their keys. */
export function createKeyIssuer({ store, clock, maxChildKeys = MAX_CHILD_KEYS }: KeyIssuerDeps) {
  function newAccount(username: string, masterId: string | null, rights: Partial<Rights>): NewAccount {
    checkExpiry(rights, clock.now())
    return { id: orderedUuid(), username, masterId, createdAt: clock.now(), rights: { ...defaultRights, ...rights } }
  }

  async function checkInserted(outcome: InsertOutcome, { username, masterId }: NewAccount): Promise<void> {
    if (outcome === 'inserted') return
    const revoked = outcome === 'username-taken' ? await store.findRevoked(username) : undefined
    // A caller without the right to purge it learns nothing of it.
    const purge = revoked?.masterId === masterId ? howToFree(revoked) : ''
    throw new AppError(outcome, { username, limit: maxChildKeys, purge })
  }

  async function toIssued(username: string, key: string): Promise<IssuedKey> {
    const account = await store.findByUsername(username)
    // Its master may have been revoked since, and it with it.
    if (!account) throw new AppError('key-not-found', { username })
    return { account, key }
  }

  return {
    async createChild(master: Account, { username, minutes, ...rights }: NewKey): Promise<IssuedKey> {
      const key = newApiKey()
      const child = newAccount(username, master.id, { ...rights, unlimited: minutes === null })
      const seconds = toSeconds(minutes ?? 0)
      const outcome = await store.insertChild(master, child, hashesOf(username, key), seconds, maxChildKeys)
      await checkInserted(outcome, child)
      return toIssued(username, key)
    },

    async createMaster(
      username: string,
      { rights = {}, minutes = {}, key = newApiKey() }: NewMaster = {},
    ): Promise<IssuedKey> {
      const account = newAccount(username, null, rights)
      await checkInserted(await store.insertMaster(account, hashesOf(username, key), toAmount(minutes)), account)
      return toIssued(username, key)
    },
  }
}

/** A slip of the pen would end a key at once, or make one that never worked. */
export function checkExpiry({ expiration_date: date = null }: Partial<Rights>, nowMs: number): void {
  if (!isExpired(date, nowMs)) return
  const errors = [{ path: 'body.expiration_date', message: 'This day is over in UTC; give a later one, or null.' }]
  throw new AppError('expiration-date-past', { expiration_date: date }, { errors })
}

function howToFree({ username, nameFreeAt }: RevokedAccount): string {
  if (nameFreeAt !== null)
    return `, or wait: the key that had the name was purged, and it is free from ${toZulu(nameFreeAt)} on`
  return `, or delete what the revoked key of that name has stored (DELETE /keys/${username}?purge=true, or aerie keys revoke ${username} --purge): five minutes later the name is free`
}
