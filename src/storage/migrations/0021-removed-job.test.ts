import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createTestDatabase, dialects } from '../../../test/support/databases.ts'
import { migrate } from '../migrate.ts'

describe.each(dialects)('a job that nobody does any more on %s', (dialect) => {
  test('is removed, and no other', async () => {
    const database = await createTestDatabase(dialect)
    await migrate(database.db, '0020-reader-limit')
    for (const kind of ['processed-video-budget', 'disk-budget'])
      await sql`insert into job (id, kind, unique_key, payload, state, run_at, attempts, created_at)
        values (${kind}, ${kind}, 'recurring', '{}', 'waiting', 1, 0, 1)`.execute(database.db)
    await migrate(database.db)
    expect(await database.db.selectFrom('job').select('kind').execute()).toEqual([{ kind: 'disk-budget' }])
    await database.remove()
  })
})
