import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { migrate } from '../migrate.ts'

describe.each(dialects)('track search on %s', (dialect) => {
  test('tracks of before are found by account, source, duration and place', async () => {
    const database = await createDatabaseBefore('0023-track-search', dialect)
    const { db } = database
    await sql`insert into process (id, account_id, source_id, source_url, source_type, state, options, created_at,
      restarts, last_track_id)
      values ('p', 'bob', 'cam', 'rtsp://camera', 'stream', 'running', '{}', 1, 0, 2)`.execute(db)
    const place = (latitude: number) => JSON.stringify({ latitude, longitude: 11.5, altitude: 1, timestamp: 1 })
    await sql`insert into track (process_id, track_id, class_id, class_name, sightings, first_seen_at, last_seen_at, box,
      first_location, last_location) values
      ('p', 1, 0, 'person', 1, 5000, 5999, '[]', null, null),
      ('p', 2, 0, 'person', 1, 5000, 9000, '[]', ${place(-48.25)}, ${place(48.5)}),
      ('left behind', 1, 0, 'person', 1, 0, 1000000000000, '[]', null, null)`.execute(db)

    await migrate(db)
    const rows = await db
      .selectFrom('track')
      .select([
        'account_id',
        'source_id',
        'span',
        'max_confidence',
        'first_latitude',
        'last_latitude',
        'last_longitude',
      ])
      .orderBy('process_id', 'desc')
      .orderBy('track_id')
      .execute()
    const unplaced = { max_confidence: null, first_latitude: null, last_latitude: null, last_longitude: null }
    expect(rows).toEqual([
      { account_id: 'bob', source_id: 'cam', span: 0, ...unplaced },
      {
        account_id: 'bob',
        source_id: 'cam',
        span: 2,
        max_confidence: null,
        first_latitude: -48.25,
        last_latitude: 48.5,
        last_longitude: 11.5,
      },
      { account_id: '', source_id: '', span: 13, ...unplaced },
    ])
    await database.remove()
  })
})
