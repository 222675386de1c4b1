import { Migrator, sql } from 'kysely'
import { type Db, type Queryable } from './database.ts'
import { migrations } from './migrations/all.ts'

export const schemaVersions: readonly string[] = Object.keys(migrations)
export const latestSchemaVersion = schemaVersions.at(-1)!

/** Brings the tables to `version`, by default the newest. Safe to call at every start, and from several starts at once. */
export async function migrate(db: Db, version = latestSchemaVersion): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateTo(version)
  if (!error) return
  if (/corrupted migrations|missing/.test((error as Error).message)) throw madeByNewer(error)
  throw new Error(`The database could not be brought up to date: ${(error as Error).message}`, { cause: error })
}

/** The version that the tables are at now. */
export async function schemaVersionOf(db: Queryable): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(db)
  const version = rows[0]?.name ?? ''
  if (!schemaVersions.includes(version)) throw madeByNewer()
  return version
}

/** For what works beside the service, and leaves upgrades to it: an older one may be running, and could not start again. */
export async function requireLatestSchema(db: Queryable): Promise<void> {
  if ((await schemaVersionOf(db)) === latestSchemaVersion) return
  throw new Error(
    'The database is of an older version of Aerie; nothing was done. This version upgrades it when its service starts: ' +
      'start it (`aerie serve`) and try again. While the older service is to go on, use its own `aerie`.',
  )
}

function madeByNewer(cause?: unknown): Error {
  return new Error('The database was made by a newer version of Aerie; start that version, or restore a backup.', {
    cause,
  })
}
