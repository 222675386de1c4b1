import { expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects } from '../../test/support/databases.ts'
import { createBus } from '../core/bus.ts'
import { type AppEvents } from '../core/events.ts'
import { createPreferences } from './preferences.module.ts'
import { createPreferenceStore } from './preferences.store.ts'

test.each(dialects)('what a key keeps goes when it is purged, and not before, on %s', async (dialect) => {
  const database = await createMigratedDatabase(dialect)
  const bus = createBus<AppEvents>((error) => {
    throw error
  })
  createPreferences({ db: database.db, bus })
  const store = createPreferenceStore(database.db)
  const { account } = await addAccount(database, { username: 'ann' })
  await store.change(account.id, new Map([['zoom', '1']]), 5)
  const revoked = { accountId: account.id, username: 'ann' }

  await bus.deliver('key-revoked', { ...revoked, purge: false })
  expect((await store.list(account.id)).size).toBe(1)
  await bus.deliver('key-revoked', { ...revoked, purge: true })
  expect((await store.list(account.id)).size).toBe(0)
  await database.remove()
})
