import { sql } from 'kysely'
import { migrate, schemaVersions } from '../../src/storage/migrate.ts'
import { createTestDatabase, type DialectName, type TestDatabase } from './databases.ts'

/** As it was before a version of the schema, with one account: its id is its username. */
export async function createDatabaseBefore(
  version: string,
  dialect: DialectName,
  username = 'bob',
): Promise<TestDatabase> {
  const at = schemaVersions.indexOf(version)
  if (at < 1) throw new Error(`Nothing is before ${version}.`)
  const database = await createTestDatabase(dialect)
  await migrate(database.db, schemaVersions[at - 1])
  await sql`insert into account (id, username, max_sources, max_outputs, max_attached_outputs, max_processes,
    max_video_upload_size_bytes, total_storage_size_bytes, track_logger, enhancement, process_recording,
    recording_retention_days, created_at)
    values (${username}, ${username}, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)`.execute(database.db)
  return database
}
