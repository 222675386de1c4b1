import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createPreferenceStore, type PreferenceStore } from './preferences.store.ts'

const LIMIT = 5

describe.each(dialects)('preferences on %s', (dialect) => {
  let database: TestDatabase
  let store: PreferenceStore
  let ann: string
  let bob: string
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createPreferenceStore(database.db)
    ann = (await addAccount(database, { username: 'ann' })).account.id
    bob = (await addAccount(database, { username: 'bob' })).account.id
  })
  afterEach(() => database.remove())

  const change = (accountId: string, values: Readonly<Record<string, string | null>>) =>
    store.change(accountId, new Map(Object.entries(values)), LIMIT)

  test('what is set stays beside the rest, until it is null', async () => {
    await change(ann, { layouts: '[1]', zoom: '3' })
    expect(await change(ann, { zoom: '4', groups: '{}' })).toEqual(
      new Map([
        ['groups', '{}'],
        ['layouts', '[1]'],
        ['zoom', '4'],
      ]),
    )
    await change(ann, { layouts: null, never: null })
    expect(await store.list(ann)).toEqual(
      new Map([
        ['groups', '{}'],
        ['zoom', '4'],
      ]),
    )
  })

  test('nobody sees, changes or removes what another key keeps', async () => {
    await change(ann, { zoom: '1' })
    await change(bob, { zoom: '2', own: '3' })
    await store.removeAllOf(bob)
    expect(await store.list(bob)).toEqual(new Map())
    expect(await store.list(ann)).toEqual(new Map([['zoom', '1']]))
  })

  test('with one too many nothing of the change is kept', async () => {
    await change(ann, { a: '1', b: '1', c: '1', d: '1' })
    await expect(change(ann, { a: '2', e: '2', f: '2' })).rejects.toMatchObject({ code: 'preference-limit-reached' })
    expect([...(await store.list(ann))]).toEqual([...'abcd'].map((name) => [name, '1']))
    // What goes makes room for what comes.
    await change(ann, { a: null, b: null, e: '2', f: '2' })
    expect((await change(ann, { g: '2' })).size).toBe(LIMIT)
  })

  test('twenty that are added at once are no more than may be', async () => {
    const added = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => change(ann, { [`p${at}`]: '1' })))
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT)
    expect((await store.list(ann)).size).toBe(LIMIT)
  })

  test('for a revoked key nothing is kept any more', async () => {
    await database.db.updateTable('account').set({ revoked_at: 1 }).where('id', '=', ann).execute()
    await expect(change(ann, { a: '1' })).rejects.toThrow()
    expect(await store.list(ann)).toEqual(new Map())
  })
})
