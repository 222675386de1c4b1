import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { migrate } from '../migrate.ts'

const GIVEN_AT_FIRST = [6_000_000, 6_000_000] as const

describe.each(dialects)('unlimited keys on %s', (dialect) => {
  test.each([
    { name: 'with what the first start gave', username: 'admin', grants: [GIVEN_AT_FIRST], unlimited: 1 },
    { name: 'topped up', username: 'admin', grants: [GIVEN_AT_FIRST, [600, 0] as const], unlimited: 0 },
    { name: 'granted something else', username: 'admin', grants: [[600, 600] as const], unlimited: 0 },
    { name: 'granted nothing', username: 'admin', grants: [], unlimited: 0 },
    { name: 'another master', username: 'boss', grants: [GIVEN_AT_FIRST], unlimited: 0 },
  ])('$username, $name: $unlimited', async ({ username, grants, unlimited }) => {
    const database = await createDatabaseBefore('0024-unlimited-keys', dialect, username)
    const { db } = database
    const entries = [
      ...grants.map(([remaining, pending]) => ['grant', remaining, pending] as const),
      ['allocation', 0, -60] as const,
    ]
    for (const [index, [kind, remaining, pending]] of entries.entries())
      await sql`insert into ledger_entry (id, account_id, kind, remaining_delta, pending_delta, created_at)
        values (${String(index)}, ${username}, ${kind}, ${remaining}, ${pending}, 1)`.execute(db)

    await migrate(db)
    const account = await db.selectFrom('account').select(['unlimited', 'unlimited_seconds']).executeTakeFirst()
    expect(account).toEqual({ unlimited, unlimited_seconds: 0 })
    await database.remove()
  })
})
