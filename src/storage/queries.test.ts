import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { findOwned, inBatches, listPage } from './queries.ts'

describe('pages and rows of an account', () => {
  describe.each(dialects)('rows of an account on %s', (dialect) => {
    let database: TestDatabase
    let ownerId: string
    beforeEach(async () => {
      database = await createMigratedDatabase(dialect)
      ownerId = (await addAccount(database, { username: 'admin' })).account.id
      const row = {
        account_id: ownerId,
        alias: '',
        status: 'active',
        setup: '{}',
        has_sources: 0,
        created_at: 0,
        updated_at: 0,
      } as const
      await database.db
        .insertInto('alert')
        .values(['a', 'b', 'c', 'd'].map((id) => ({ ...row, id })))
        .execute()
    })
    afterEach(() => database.remove())

    const alerts = () => database.db.selectFrom('alert').selectAll()

    test('a page is newest first, and its cursor leads to the next until there is none', async () => {
      const ids = async (cursor?: string) => {
        const { items, nextCursor } = await listPage(alerts(), { limit: 2, cursor }, ({ id }) => ({ id }), 'alert.id')
        return [items.map(({ id }) => id).join(''), nextCursor]
      }
      expect(await ids()).toEqual(['dc', 'c'])
      expect(await ids('c')).toEqual(['ba', undefined])
      expect(await ids('a')).toEqual(['', undefined])
    })

    test('what others have is not found', async () => {
      expect(await findOwned(alerts(), ownerId, 'b')).toMatchObject({ id: 'b' })
      expect(await findOwned(alerts(), 'another', 'b')).toBeUndefined()
      expect(await findOwned(alerts(), ownerId, 'x')).toBeUndefined()
    })
  })
})

describe('in batches', () => {
  test.each([
    { count: 0, sizes: [] },
    { count: 1, sizes: [1] },
    { count: 500, sizes: [500] },
    { count: 1_001, sizes: [500, 500, 1] },
  ])('$count values are $sizes, in their order', ({ count, sizes }) => {
    const values = Array.from({ length: count }, (_, index) => index)
    const batches = [...inBatches(values)]
    expect(batches.map(({ length }) => length)).toEqual(sizes)
    expect(batches.flat()).toEqual(values)
  })
})
