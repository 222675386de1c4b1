import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn, addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createRevocationStore } from './revocations.store.ts'

describe.each(dialects)('revoked keys on %s', (dialect) => {
  let database: TestDatabase
  beforeEach(async () => void (database = await createMigratedDatabase(dialect)))
  afterEach(() => database.remove())

  test('are those that were revoked or purged since then, with the children that went along', async () => {
    const { service, store } = accountsOn(database)
    const { account: master } = await addAccount(database, { username: 'ann', minutes: 0 })
    await addAccount(database, { username: 'bob', minutes: 0 })
    await service.createChild(master, { username: 'child', minutes: 0 })
    const list = async (time: number) =>
      (await createRevocationStore(database.db).listSince(time)).map(({ username, purge }) => [username, purge])
    expect(await list(0)).toEqual([])
    await store.revoke(master, true, 1_000)
    expect((await list(1_000)).sort()).toEqual([
      ['ann', false],
      ['child', false],
    ])
    expect(await list(1_001)).toEqual([])
    await store.markPurged(master.id, 2_000)
    expect(await list(1_001)).toEqual([['ann', true]])
    expect((await list(0)).sort()).toEqual([
      ['ann', true],
      ['child', false],
    ])
  })
})
