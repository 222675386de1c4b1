import { createAccountService } from '../../src/accounts/accounts.service.ts'
import { createAccountStore } from '../../src/accounts/accounts.store.ts'
import { createLedgerStore } from '../../src/accounts/ledger.store.ts'
import { createBus } from '../../src/core/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type AppEvents } from '../../src/core/events.ts'
import { type Database } from '../../src/storage/database.ts'

export function accountsOn({ db }: Database, options: { maxChildKeys?: number } = {}) {
  const bus = createBus<AppEvents>(() => {})
  const store = createAccountStore(db)
  const ledger = createLedgerStore(db)
  return { bus, store, ledger, service: createAccountService({ store, ledger, bus, clock: systemClock, ...options }) }
}

/** A master account with minutes of its own and as many pending. */
export async function addAccount(
  database: Database,
  { username, minutes = 0 }: { username: string; minutes?: number },
) {
  const { service } = accountsOn(database)
  const { key } = await service.createMaster(username)
  return { key, account: await service.grant(username, { minutes, pendingMinutes: minutes }) }
}

/** What an account's balance must be. */
export async function sumOfBook({ db }: Database, accountId: string) {
  const entries = await db.selectFrom('ledger_entry').selectAll().where('account_id', '=', accountId).execute()
  const charges = await db.selectFrom('charge').selectAll().where('account_id', '=', accountId).execute()
  const consumedSeconds = charges.reduce((sum, { seconds }) => sum + seconds, 0)
  return {
    remainingSeconds: entries.reduce((sum, entry) => sum + entry.remaining_delta, 0) - consumedSeconds,
    pendingSeconds: entries.reduce((sum, entry) => sum + entry.pending_delta, 0),
    consumedSeconds,
  }
}
