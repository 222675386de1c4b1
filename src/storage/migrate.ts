import { DEFAULT_MIGRATION_TABLE as MIGRATION_TABLE, Migrator, sql } from 'kysely'
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

/** The same inside a transaction, where the migrator will not run, and where there are no tables yet; what it wrote down is forgotten. */
export async function migrateAnew(tx: Queryable, version: string): Promise<void> {
  await tx.schema
    .createTable(MIGRATION_TABLE)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute()
  await sql`delete from ${sql.table(MIGRATION_TABLE)}`.execute(tx)
  await applyIn(tx, schemaVersions.slice(0, schemaVersions.indexOf(version) + 1))
}

/** From `version`, which the tables of this transaction are at, to the newest. */
export async function migrateOn(tx: Queryable, version: string): Promise<void> {
  await applyIn(tx, schemaVersions.slice(schemaVersions.indexOf(version) + 1))
}

async function applyIn(tx: Queryable, versions: readonly string[]): Promise<void> {
  for (const version of versions) {
    await migrations[version]!.up(tx)
    const appliedAt = new Date().toISOString()
    await sql`insert into ${sql.table(MIGRATION_TABLE)} (name, timestamp) values (${version}, ${appliedAt})`.execute(tx)
  }
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
