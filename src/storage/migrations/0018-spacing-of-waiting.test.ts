import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { migrate } from '../migrate.ts'

describe.each(dialects)('spacing of what waits on %s', (dialect) => {
  test.each(['0017-delivery-spacing', '0018-spacing-of-waiting'])(
    'from before %s it is that of its subscription',
    async (version) => {
      const database = await createDatabaseBefore(version, dialect)
      const { db } = database
      for (const [id, backoffMs] of [
        ['slow', 30_000],
        ['fast', 0],
      ] as const)
        await sql`insert into webhook_subscription (id, account_id, process_id, notification_url, event_type,
          notification_format, backoff_ms, secret, progress, created_at) values (${id}, 'bob', 'p', ${`http://h/${id}`},
          'new-tracks', 'simple', ${backoffMs}, 's', '{}', 1)`.execute(db)
      for (const [position, channel, state] of [
        [1, 'webhook:slow', 'waiting'],
        [2, 'webhook:slow', 'dead'],
        [3, 'webhook:fast', 'waiting'],
        [4, 'webhook:removed', 'waiting'],
        [5, 'alert:slow', 'waiting'],
      ] as const)
        await sql`insert into delivery (id, position, channel, account_id, destination, body, size_bytes, state, attempts,
          created_at, expires_at) values (${String(position)}, ${position}, ${channel}, 'bob', '{}', '{}', 2, ${state}, 0, 1, 2)`.execute(
          db,
        )
      await migrate(db)
      const rows = await db.selectFrom('delivery').select('spacing_ms').orderBy('position').execute()
      expect(rows.map((row) => row.spacing_ms)).toEqual([30_000, 30_000, 0, 0, 0])
      await database.remove()
    },
  )
})
