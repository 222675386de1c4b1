import { createAccountService } from '../../src/accounts/accounts.service.ts'
import { createAccountStore } from '../../src/accounts/accounts.store.ts'
import { createLedgerStore } from '../../src/accounts/ledger.store.ts'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { createSourceTokenStore } from '../../src/sources/source-tokens.store.ts'
import { type Database } from '../../src/storage/database.ts'
import { createJobStore } from '../../src/storage/jobs.store.ts'

export function accountsOn(database: Database, options: { maxChildKeys?: number; clock?: Clock } = {}) {
  const store = createAccountStore(database.db, createJobStore(database), createSourceTokenStore(database.db))
  const ledger = createLedgerStore(database.db)
  return { store, ledger, service: createAccountService({ store, ledger, clock: systemClock, ...options }) }
}

/** A master account with minutes of its own and as many pending. */
export async function addAccount(
  database: Database,
  { username, minutes = 0 }: { username: string; minutes?: number },
) {
  return accountsOn(database).service.createMaster(username, { minutes: { minutes, pendingMinutes: minutes } })
}

/** Whatever is kept, of whichever importance. */
export async function keepForDays({ db }: Database, accountId: string, days: number): Promise<void> {
  const retention = { recording_retention_days: days, track_retention_days: days, alert_retention_days: days }
  await db.updateTable('account').set(retention).where('id', '=', accountId).execute()
}

/** What an account's balance must be. */
export async function sumOfBook({ db }: Database, accountId: string) {
  const entries = await db.selectFrom('ledger_entry').selectAll().where('account_id', '=', accountId).execute()
  const charges = await db.selectFrom('charge').selectAll().where('account_id', '=', accountId).execute()
  const account = await db
    .selectFrom('account')
    .select(['unlimited', 'unlimited_seconds'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const consumedSeconds = Math.floor(charges.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000)
  const chargedSeconds = consumedSeconds - account.unlimited_seconds
  return {
    isUnlimited: account.unlimited === 1,
    remainingSeconds: entries.reduce((sum, entry) => sum + entry.remaining_delta, 0) - chargedSeconds,
    pendingSeconds: entries.reduce((sum, entry) => sum + entry.pending_delta, 0),
    consumedSeconds,
  }
}
