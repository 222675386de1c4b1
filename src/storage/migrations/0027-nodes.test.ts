import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { migrate } from '../migrate.ts'

describe.each(dialects)('nodes on %s', (dialect) => {
  test('what waits to be sent is attributed to its process', async () => {
    const database = await createDatabaseBefore('0027-nodes', dialect)
    const { db } = database
    await sql`insert into webhook_subscription (id, account_id, process_id, notification_url, event_type,
      notification_format, backoff_ms, secret, progress, created_at)
      values ('s1', 'bob', 'p1', 'http://a', 'new-tracks', 'simple', 0, 's', '{}', 1)`.execute(db)
    await sql`insert into alert_channel (channel, alert_id, process_id) values ('alert:x', 'a1', 'p2')`.execute(db)
    for (const [id, channel, state] of [
      ['1', 'webhook:s1', 'waiting'],
      ['2', 'alert:x', 'waiting'],
      ['3', 'webhook:gone', 'waiting'],
      ['4', 'webhook:s1', 'delivered'],
    ])
      await sql`insert into delivery (id, position, channel, account_id, destination, body, size_bytes, state, attempts,
        created_at, expires_at, spacing_ms) values (${id}, 1, ${channel}, 'bob', '', '', 1, ${state}, 0, 1, 2, 0)`.execute(
        db,
      )

    await migrate(db)
    const rows = await db.selectFrom('delivery').select(['id', 'process_id']).orderBy('id').execute()
    expect(rows.map(({ process_id }) => process_id)).toEqual(['p1', 'p2', null, null])
    await database.remove()
  })
})
