import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aClipRow,
  aContactDeviceRow,
  aContactRow,
  aDetectionFileRow,
  anAlertEventRow,
  aProcessStateChangeRow,
  aSourceRightRow,
} from '../../../test/builders/recorded-rows.ts'
import { type BuiltProgram, buildProgram } from '../../../test/support/built-program.ts'
import { createTestDatabase, dialects, type TestDatabase } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { readBackup, writeBackup } from '../backup.ts'
import { type Db, openDatabase } from '../database.ts'
import { latestSchemaVersion, migrate, schemaVersionOf } from '../migrate.ts'
import { tableNames } from '../schema.ts'

const VERSION = '0029-recorded-time'

async function addRows(db: Db): Promise<void> {
  await sql`update account set recording_retention_days = 30`.execute(db)
  for (const [id, record] of [
    ['cam', 1],
    ['gate', 0],
  ] as const)
    await sql`insert into source (id, account_id, alias, type, input_url, fingerprint, created_at, record)
      values (${id}, 'bob', ${id}, 'stream', 'rtsp://camera', ${id}, 1, ${record})`.execute(db)
  for (const source of ['cam', 'removed']) {
    await sql`insert into recording (id, account_id, source_id, alias, started_at)
      values (${`of ${source}`}, 'bob', ${source}, 'cam', 1)`.execute(db)
    for (const at of [1, 2])
      await sql`insert into recording_segment (id, recording_id, account_id, file, started_at, size_bytes)
        values (${`${source} ${at}`}, ${`of ${source}`}, 'bob', ${`recordings/${at}.mp4`}, ${at}, 10)`.execute(db)
  }
}

async function expectUpToDate(db: Db): Promise<void> {
  expect(await schemaVersionOf(db)).toBe(latestSchemaVersion)
  const segments = await db.selectFrom('recording_segment').selectAll().orderBy('id').execute()
  expect(segments.map(({ id, source_id }) => [id, source_id])).toEqual([
    ['cam 1', 'cam'],
    ['cam 2', 'cam'],
    ['removed 1', 'removed'],
    ['removed 2', 'removed'],
  ])
  expect(segments[0]).toMatchObject({ importance: 0, rest_until: null, fragments: null, size_bytes: 10 })
  const sources = await db.selectFrom('source').select(['id', 'recording_mode', 'recording_classes']).execute()
  expect(sources).toEqual([
    { id: 'cam', recording_mode: 'always', recording_classes: null },
    { id: 'gate', recording_mode: 'off', recording_classes: null },
  ])
  expect(
    await db
      .selectFrom('account')
      .select(['recording_retention_days', 'track_retention_days', 'alert_retention_days'])
      .execute(),
  ).toEqual([{ recording_retention_days: 30, track_retention_days: 30, alert_retention_days: 30 }])
}

async function shapeOf(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)).sort()
}

/** Brings a database up to date, and dies the moment before a statement that has these words. */
const MORTAL_MIGRATION = `
  import { inspect } from 'node:util'
  import { openDatabase } from './storage/database.ts'
  import { migrate } from './storage/migrate.ts'
  const [url, words] = process.argv.slice(2)
  const mortal = {
    transformQuery({ node }) {
      if (inspect(node, { depth: Infinity }).includes(words)) process.kill(process.pid, 'SIGKILL')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await migrate(openDatabase(url).db.withPlugin(mortal))
`

let program: BuiltProgram
beforeAll(async () => void (program = await buildProgram(MORTAL_MIGRATION)))
afterAll(() => program.remove())

describe.each(dialects)('recorded time on %s', (dialect) => {
  let database: TestDatabase
  let db: Db
  beforeEach(async () => {
    database = await createDatabaseBefore(VERSION, dialect)
    db = database.db
    await addRows(db)
  })
  afterEach(() => database.remove())

  test('what was kept before is known by its source, and kept as long as before', async () => {
    await migrate(db)
    await expectUpToDate(db)
  })

  test.each(['update recording_segment', 'update account', 'source_right_source', VERSION])(
    'killed before "%s", nothing of it is done, and the next start does it',
    async (words) => {
      const before = await shapeOf(db)
      const child = spawn(process.execPath, [fileURLToPath(program.entry), database.url, words], { stdio: 'inherit' })
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
      expect(await schemaVersionOf(db)).toBe('0028-object-store')
      expect(await shapeOf(db)).toEqual(before)
      await migrate(db)
      await expectUpToDate(db)
    },
  )

  // A file of SQLite has one service, whose folder it is in.
  if (dialect === 'postgres')
    test('several services that start at once do it once', async () => {
      const starts = [1, 2, 3].map(() => openDatabase(database.url))
      await Promise.all(starts.map((start) => migrate(start.db)))
      await expectUpToDate(db)
      await Promise.all(starts.map((start) => start.close()))
    })

  test.each(dialects)('a backup of before is restored in %s, and one of all that is new too', async (to) => {
    const file = join(tmpdir(), `aerie-backup-${process.pid}-${dialect}-${to}`)
    const target = await createTestDatabase(to)
    try {
      await writeBackup(database, {}, file)
      await readBackup(target, file)
      await expectUpToDate(target.db)

      await migrate(db)
      await addNewRows(db)
      await writeBackup(database, {}, file)
      await readBackup(target, file)
      for (const table of tableNames)
        expect([table, await target.db.selectFrom(table).selectAll().execute()]).toEqual([
          table,
          await db.selectFrom(table).selectAll().execute(),
        ])
    } finally {
      rmSync(file, { force: true })
      await target.remove()
    }
  })

  test('devices go with their contact, and rights with their source', async () => {
    await migrate(db)
    await addNewRows(db)
    await db.deleteFrom('contact').execute()
    await db.deleteFrom('source').execute()
    expect(await db.selectFrom('contact_device').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('source_right').selectAll().execute()).toEqual([])
  })

  test('of a link there is one clip, and of a stretch as many as somebody cuts', async () => {
    await migrate(db)
    const insert = (change: Parameters<typeof aClipRow>[0]) => db.insertInto('clip').values(aClipRow(change)).execute()
    await insert({ id: '1', unique_key: 'event:e' })
    await expect(insert({ id: '2', unique_key: 'event:e' })).rejects.toThrow(/unique/i)
    await insert({ id: '3' })
    await insert({ id: '4' })
  })
})

async function addNewRows(db: Db): Promise<void> {
  await db.updateTable('recording_segment').set({ importance: 2, rest_until: 5, fragments: '{"g":[0,1252]}' }).execute()
  await db.updateTable('source').set({ recording_mode: 'events', recording_classes: '["person"]' }).execute()
  await db.insertInto('detection_file').values(aDetectionFileRow()).execute()
  await db.insertInto('process_state_change').values(aProcessStateChangeRow()).execute()
  await db
    .insertInto('alert_event')
    .values(anAlertEventRow({ file: 'events/p/event.jpg' }))
    .execute()
  await db
    .insertInto('clip')
    .values(aClipRow({ process_id: 'p', track_id: 7, unique_key: 'track:p:7' }))
    .execute()
  await db
    .insertInto('contact')
    .values(aContactRow({ held: '{}', held_process_id: 'p', last_turn_id: 'sum:contact:1' }))
    .execute()
  await db.insertInto('contact_device').values(aContactDeviceRow()).execute()
  await db.insertInto('source_right').values(aSourceRightRow()).execute()
}
