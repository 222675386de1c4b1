import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dialects } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { fileFingerprint } from '../../sources/source.ts'
import { migrate } from '../migrate.ts'

describe.each(dialects)('disk shares on %s', (dialect) => {
  test('videos and recordings of before are found as they are, by content and by account', async () => {
    const database = await createDatabaseBefore('0016-disk-shares', dialect)
    const { db } = database
    const content = 'ab'.repeat(32)
    const telemetryCfg = {
      type: 'websocket',
      format: 'native',
      parameters: { time_offset_ms: 5, lens: 'zoom' },
    } as const
    await sql`insert into source (id, account_id, alias, type, input_url, telemetry_cfg, size_bytes, fingerprint, created_at)
      values ('film', 'bob', 'holiday', 'file', 'Holiday.MP4', ${JSON.stringify(telemetryCfg)}, 7, ${`file:${content}`}, 1),
      ('cam', 'bob', 'cam', 'stream', 'rtsp://camera', null, 0, 'stream:1', 1)`.execute(db)
    await sql`insert into recording (id, account_id, source_id, alias, started_at) values ('r', 'bob', 'cam', 'cam', 1)`.execute(
      db,
    )
    await sql`insert into recording_segment (id, recording_id, file, started_at) values ('s', 'r', 'f', 1)`.execute(db)

    await migrate(db)
    const sources = await db
      .selectFrom('source')
      .select(['id', 'file', 'content_sha256', 'fingerprint'])
      .orderBy('id')
      .execute()
    expect(sources).toEqual([
      { id: 'cam', file: null, content_sha256: null, fingerprint: 'stream:1' },
      {
        id: 'film',
        file: 'film.mp4',
        content_sha256: content,
        fingerprint: fileFingerprint({ contentSha256: content, alias: 'holiday', telemetryCfg }),
      },
    ])
    const segments = await db.selectFrom('recording_segment').select('account_id').execute()
    expect(segments).toEqual([{ account_id: 'bob' }])
    await database.remove()
  })
})
