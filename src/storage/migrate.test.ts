import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  createMigratedDatabase,
  createTestDatabase,
  dialects,
  type TestDatabase,
} from '../../test/support/databases.ts'
import { openDatabase } from './database.ts'
import { latestSchemaVersion, migrate, requireLatestSchema, schemaVersionOf, schemaVersions } from './migrate.ts'

describe.each(dialects)('migrations on %s', (dialect) => {
  async function withDatabase(run: (database: TestDatabase) => Promise<void>): Promise<void> {
    const database = await createTestDatabase(dialect)
    try {
      await run(database)
    } finally {
      await database.remove()
    }
  }

  async function tablesOf({ db }: TestDatabase): Promise<string[]> {
    const tables = await db.introspection.getTables()
    return tables
      .flatMap((table) =>
        table.columns.map((column) => `${table.name}.${column.name} ${column.dataType}`.toLowerCase()),
      )
      .sort()
  }

  let tablesOfFresh: readonly string[]
  beforeAll(async () => {
    const fresh = await createMigratedDatabase(dialect)
    tablesOfFresh = await tablesOf(fresh)
    await fresh.remove()
  })

  test.each(schemaVersions)('an installation made at %s comes up to date with its accounts', (version) =>
    withDatabase(async (database) => {
      await migrate(database.db, version)
      await sql`insert into account (id, username, max_sources, max_outputs, max_attached_outputs, max_processes,
        max_video_upload_size_bytes, total_storage_size_bytes, track_logger, enhancement, process_recording,
        recording_retention_days, created_at) values ('1', 'old', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)`.execute(database.db)
      await migrate(database.db)
      expect(await tablesOf(database)).toEqual(tablesOfFresh)
      expect(await database.db.selectFrom('account').select('username').execute()).toEqual([{ username: 'old' }])
    }),
  )

  test.each([
    ['has it raised', 4, 8, 1000],
    ['keeps what its children have', 4, 2000, 2000],
    ['that was given another keeps that', 10, 2000, 10],
  ])('a first master with the old limit %s', (_name, masters, childs, expected) =>
    withDatabase(async (database) => {
      await migrate(database.db, '0013-report-pictures')
      for (const [id, username, masterId, maxProcesses] of [
        ['1', 'admin', null, masters],
        ['2', 'child', '1', childs],
      ] as const)
        await sql`insert into account (id, username, master_id, max_sources, max_outputs, max_attached_outputs,
          max_processes, max_video_upload_size_bytes, total_storage_size_bytes, track_logger, enhancement,
          process_recording, recording_retention_days, created_at)
          values (${id}, ${username}, ${masterId}, 1, 1, 1, ${maxProcesses}, 1, 1, 1, 1, 1, 1, 1)`.execute(database.db)
      await migrate(database.db)
      const rows = await database.db.selectFrom('account').select('max_processes').orderBy('id').execute()
      expect(rows.map((row) => row.max_processes)).toEqual([expected, childs])
    }),
  )

  test('running them again changes nothing', () =>
    withDatabase(async (database) => {
      await migrate(database.db)
      const before = await tablesOf(database)
      await migrate(database.db)
      expect(await tablesOf(database)).toEqual(before)
    }))

  // A file of SQLite has one service, whose folder it is in.
  if (dialect === 'postgres')
    test('several starts at once on a new database do not hurt each other', () =>
      withDatabase(async (database) => {
        const starts = [1, 2, 3, 4].map(() => openDatabase(database.url))
        await Promise.all(starts.map(({ db }) => migrate(db)))
        expect(await schemaVersionOf(database.db)).toBe(latestSchemaVersion)
        await Promise.all(starts.map((start) => start.close()))
      }))

  test('what leaves upgrades to the service refuses an older database, and a newer one, as they are', () =>
    withDatabase(async (database) => {
      const older = schemaVersions.at(-2)!
      await migrate(database.db, older)
      await expect(requireLatestSchema(database.db)).rejects.toThrow('upgrades it when its service starts')
      expect(await schemaVersionOf(database.db)).toBe(older)
      await migrate(database.db)
      await requireLatestSchema(database.db)
      await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030-01-01')`.execute(
        database.db,
      )
      await expect(requireLatestSchema(database.db)).rejects.toThrow('made by a newer version of Aerie')
    }))

  test('one that fails leaves nothing behind, so the next start can do it', () =>
    withDatabase(async (database) => {
      await sql`create table charge (in_the_way text)`.execute(database.db)
      await expect(migrate(database.db)).rejects.toThrow('could not be brought up to date')
      expect(await tablesOf(database)).toEqual(['charge.in_the_way text'])
      await sql`drop table charge`.execute(database.db)
      await migrate(database.db)
    }))

  test('a database of a newer version is refused with a sentence', () =>
    withDatabase(async (database) => {
      await migrate(database.db)
      await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030-01-01')`.execute(
        database.db,
      )
      await expect(migrate(database.db)).rejects.toThrow('made by a newer version of Aerie')
    }))
})
