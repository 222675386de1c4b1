import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { migrate } from '../migrate.ts'

describe.each(dialects)('alerts of before on %s', (dialect) => {
  test('look at every source, and send each event at once', async () => {
    const database = await createDatabaseBefore('0022-alert-sources', dialect)
    const { db } = database
    const setups = [
      { type: 'flow-control', trigger: { window_seconds: 60 }, output: [] },
      { type: 'follow-track', trigger: { interval_seconds: 1 } },
      { type: 'filter-search', trigger: { for_seconds: 1, cooldown_seconds: 0 } },
    ]
    for (const [index, setup] of setups.entries())
      await sql`insert into alert (id, account_id, alias, status, setup, created_at, updated_at)
        values (${String(index)}, 'bob', 'a', 'active', ${JSON.stringify(setup)}, 1, 1)`.execute(db)
    await migrate(db)
    const rows = await db.selectFrom('alert').select(['setup', 'has_sources']).orderBy('id').execute()
    expect(rows.map((row) => row.has_sources)).toEqual([0, 0, 0])
    expect(rows.map(({ setup }) => JSON.parse(setup) as unknown)).toEqual([
      { ...setups[0], trigger: { window_seconds: 60, cooldown_seconds: 0 } },
      ...setups.slice(1),
    ])
    await database.remove()
  })
})
