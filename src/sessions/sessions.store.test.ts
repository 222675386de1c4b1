import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createSessionStore, type Session, type SessionStore } from './sessions.store.ts'

describe.each(dialects)('sessions on %s', (dialect) => {
  let database: TestDatabase
  let store: SessionStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createSessionStore(database.db)
    for (const key of ['key', 'another']) {
      const { account } = await addAccount(database, { username: key })
      await database.db.updateTable('account').set({ key_sha256: key }).where('id', '=', account.id).execute()
    }
  })
  afterEach(() => database.remove())

  const aSession = (secretSha256: string, change: Partial<Session> = {}): Session => ({
    secretSha256,
    keySha256: 'key',
    createdAt: 1,
    expiresAt: 100,
    ...change,
  })

  test('what is stored comes back whole, until it is removed', async () => {
    await store.insertWithinLimit(aSession('a'), 5)
    expect(await store.find('a')).toEqual(aSession('a'))
    await store.remove('a')
    expect(await store.find('a')).toBeUndefined()
  })

  test('beyond the limit the oldest of the same key goes', async () => {
    for (let i = 1; i <= 3; i++) await store.insertWithinLimit(aSession(`s${i}`, { createdAt: i }), 2)
    await store.insertWithinLimit(aSession('other', { keySha256: 'another', createdAt: 0 }), 2)
    const found = await Promise.all(['s1', 's2', 's3', 'other'].map((secret) => store.find(secret)))
    expect(found.map((session) => session?.secretSha256)).toEqual([undefined, 's2', 's3', 'other'])
  })

  test('fifty that sign in at once leave no more than the limit', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => store.insertWithinLimit(aSession(`s${index}`), 7)))
    expect(await database.db.selectFrom('session').select('secret_sha256').execute()).toHaveLength(7)
  })

  test('who signs in sweeps out what has expired', async () => {
    await store.insertWithinLimit(aSession('old', { expiresAt: 10 }), 5)
    await store.insertWithinLimit(aSession('new', { createdAt: 10 }), 5)
    expect(await store.find('old')).toBeUndefined()
  })
})
