import { AppError } from '../core/errors.ts'
import { type Balance } from '../core/minutes.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Db, lockAccount, type Queryable } from '../storage/database.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { type LedgerEntryRow } from '../storage/schema.ts'

export type Amount = Pick<Balance, 'remainingSeconds' | 'pendingSeconds'>

/**
 * The book of minutes. Whatever changes a balance writes an entry (or moves a charge's meter) in the same
 * transaction, so the balances on the account are always the sums over the book.
 */
export interface LedgerStore {
  /** Minutes from outside: the operator tops up. */
  grant(accountId: string, amount: Amount, now: number): Promise<void>
  /**
   * Moves a master's pending minutes to a key. Throws when not as many are pending, or when the key is revoked. What an
   * unlimited master gives is written down likewise, and may leave less than nothing pending.
   */
  allocate(masterId: string, accountId: string, seconds: number, now: number): Promise<void>
  /**
   * Sets the meter `chargeId` to `totalMs` and charges what is new, to the millisecond: what is less than a second is
   * kept with the account, whatever run it came from, until it makes one. Saying the same again changes nothing,
   * so a caller that doesn't know whether it was heard just says it again. A meter never goes back.
   * Use may overrun what remains by as long as the caller needs to notice; the debt stays in the book.
   */
  charge(chargeId: string, accountId: string, totalMs: number, now: number): Promise<Balance>
  balance(accountId: string): Promise<Balance>
}

export function createLedgerStore(db: Db): LedgerStore {
  return {
    grant: (accountId, amount, now) => db.transaction().execute(async (tx) => grantIn(tx, accountId, amount, now)),
    allocate: (masterId, accountId, seconds, now) =>
      db.transaction().execute(async (tx) => allocateIn(tx, masterId, accountId, seconds, now)),
    charge: (chargeId, accountId, totalMs, now) =>
      db.transaction().execute(async (tx) => {
        await lockAccount(tx, accountId)
        const meter = await tx.selectFrom('charge').select('milliseconds').where('id', '=', chargeId).executeTakeFirst()
        const milliseconds = Math.max(Math.floor(totalMs), meter?.milliseconds ?? 0)
        await tx
          .insertInto('charge')
          .values({ id: chargeId, account_id: accountId, milliseconds, updated_at: now })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ milliseconds, updated_at: now }))
          .execute()
        await use(tx, accountId, milliseconds - (meter?.milliseconds ?? 0))
        return balanceIn(tx, accountId)
      }),
    balance: (accountId) => balanceIn(db, accountId),
  }
}

/** Takes whole seconds from what remains, unless the account is unlimited, and keeps the rest for the next time. */
async function use(tx: Queryable, accountId: string, newMs: number): Promise<void> {
  const account = await tx
    .selectFrom(effectiveAccounts(tx).as('account'))
    .select(['uncharged_ms', 'unlimited'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const dueMs = account.uncharged_ms + newMs
  const seconds = Math.floor(dueMs / 1000)
  const isFree = account.unlimited === 1
  await tx
    .updateTable('account')
    .set((eb) => ({
      remaining_seconds: eb('remaining_seconds', '-', isFree ? 0 : seconds),
      unlimited_seconds: eb('unlimited_seconds', '+', isFree ? seconds : 0),
      consumed_seconds: eb('consumed_seconds', '+', seconds),
      uncharged_ms: dueMs % 1000,
    }))
    .where('id', '=', accountId)
    .execute()
}

/** `grant`, inside a transaction of the caller's. */
export async function grantIn(tx: Queryable, accountId: string, amount: Amount, now: number): Promise<void> {
  const { remainingSeconds, pendingSeconds } = amount
  if (remainingSeconds === 0 && pendingSeconds === 0) return
  await post(tx, accountId, 'grant', remainingSeconds, pendingSeconds, now)
}

/** `allocate`, inside a transaction of the caller's. What it throws rolls that back. */
export async function allocateIn(
  tx: Queryable,
  masterId: string,
  accountId: string,
  seconds: number,
  now: number,
): Promise<void> {
  await lockAccount(tx, masterId)
  // A key may be revoked at this moment; the minutes would go to nobody.
  await lockAccount(tx, accountId)
  const columns = ['username', 'revoked_at'] as const
  const target = await tx.selectFrom('account').select(columns).where('id', '=', accountId).executeTakeFirstOrThrow()
  if (target.revoked_at !== null) throw new AppError('key-not-found', { username: target.username })
  const { isUnlimited, pendingSeconds } = await balanceIn(tx, masterId)
  if (!isUnlimited && pendingSeconds < seconds)
    throw new AppError('minutes-not-pending', { pending_minutes: Math.max(0, Math.floor(pendingSeconds / 60)) })
  await post(tx, masterId, 'allocation', 0, -seconds, now)
  await post(tx, accountId, 'allocation', seconds, 0, now)
}

/** What a child has left goes back to its master's pending minutes. */
export async function returnRemainingIn(
  tx: Queryable,
  masterId: string,
  accountId: string,
  now: number,
): Promise<void> {
  await lockAccount(tx, masterId)
  await lockAccount(tx, accountId)
  const { remainingSeconds } = await balanceIn(tx, accountId)
  if (remainingSeconds <= 0) return
  await post(tx, accountId, 'return', -remainingSeconds, 0, now)
  await post(tx, masterId, 'return', 0, remainingSeconds, now)
}

async function post(
  tx: Queryable,
  accountId: string,
  kind: LedgerEntryRow['kind'],
  remaining: number,
  pending: number,
  now: number,
): Promise<void> {
  const entry = {
    id: orderedUuid(),
    account_id: accountId,
    kind,
    remaining_delta: remaining,
    pending_delta: pending,
    created_at: now,
  }
  await tx.insertInto('ledger_entry').values(entry).execute()
  await tx
    .updateTable('account')
    .set((eb) => ({
      remaining_seconds: eb('remaining_seconds', '+', remaining),
      pending_seconds: eb('pending_seconds', '+', pending),
    }))
    .where('id', '=', accountId)
    .execute()
}

/** `balance`, inside a transaction of the caller's. */
export async function balanceIn(tx: Queryable, accountId: string): Promise<Balance> {
  const row = await tx
    .selectFrom(effectiveAccounts(tx).as('account'))
    .select(['unlimited', 'remaining_seconds', 'consumed_seconds', 'pending_seconds'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return toBalance(row)
}

export function toBalance(row: {
  unlimited: number
  remaining_seconds: number
  consumed_seconds: number
  pending_seconds: number
}): Balance {
  return {
    isUnlimited: row.unlimited === 1,
    remainingSeconds: row.remaining_seconds,
    consumedSeconds: row.consumed_seconds,
    pendingSeconds: row.pending_seconds,
  }
}
