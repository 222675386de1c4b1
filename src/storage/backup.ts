import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, type Db, type Queryable } from './database.ts'
import { latestSchemaVersion, migrate, schemaVersions } from './migrate.ts'
import { tableNames, type Tables } from './schema.ts'

/**
 * A backup is gzipped JSON lines: a header, a line a row, and an end that counts them. It holds rows, not
 * files of a database, so that what was saved from SQLite can be restored into PostgreSQL and back.
 */

const Header = z.object({
  format: z.literal('aerie-backup-1'),
  schema_version: z.string(),
  created_at: z.string(),
  /** Small text files that belong to an installation, by name. */
  files: z.record(z.string(), z.string()),
})
const RowLine = z.object({
  table: z.enum(tableNames),
  row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
const EndLine = z.object({ rows: z.number() })

export type BackupFiles = Readonly<Record<string, string>>

/** Writes everything into `file`, as it was at one moment, also while the service goes on writing. Answers the number of rows. */
export async function writeBackup({ db, dialect }: Database, files: BackupFiles, file: string): Promise<number> {
  const partial = `${file}.partial`
  let rows = 0

  async function* lines(tx: Queryable): AsyncGenerator<string> {
    const header = {
      format: 'aerie-backup-1',
      schema_version: latestSchemaVersion,
      created_at: new Date().toISOString(),
      files,
    }
    yield `${JSON.stringify(header)}\n`
    for (const table of tableNames) {
      for await (const row of tx.selectFrom(table).selectAll().stream(1000)) {
        rows += 1
        yield `${JSON.stringify({ table, row })}\n`
      }
    }
    yield `${JSON.stringify({ rows })}\n`
  }

  try {
    const snapshot = dialect === 'postgres' ? db.transaction().setIsolationLevel('repeatable read') : db.transaction()
    await snapshot.execute(async (tx) => {
      await pipeline(Readable.from(lines(tx)), createGzip(), createWriteStream(partial, { mode: 0o600 }))
    })
    await chmod(partial, 0o600)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return rows
}

/** Fills an empty database from `file`, bringing older backups up to date. Answers the files that were saved with it. */
export async function readBackup(database: Database, file: string): Promise<{ rows: number; files: BackupFiles }> {
  const unzip = createGunzip()
  createReadStream(file)
    .on('error', (error) => unzip.destroy(error))
    .pipe(unzip)
  const lines = createInterface({ input: unzip, crlfDelay: Infinity })[Symbol.asyncIterator]()
  const header = await readHeader(lines, file)
  await migrate(database.db, header.schema_version)
  const rows = await insertRows(database.db, lines, file)
  await migrate(database.db)
  return { rows, files: header.files }
}

async function readHeader(lines: AsyncIterator<string>, file: string): Promise<z.infer<typeof Header>> {
  let header: z.infer<typeof Header>
  try {
    header = Header.parse(JSON.parse(((await lines.next()) as IteratorResult<string, string>).value))
  } catch (error) {
    throw new Error(`${file} is not a backup of Aerie.`, { cause: error })
  }
  if (!schemaVersions.includes(header.schema_version)) {
    throw new Error(
      `${file} was made by a newer version of Aerie (${header.schema_version}); restore it with that version.`,
    )
  }
  return header
}

async function insertRows(db: Db, lines: AsyncIterator<string>, file: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    let rows = 0
    for (;;) {
      const next = await lines.next().catch((error: unknown) => {
        throw new Error(`${file} is damaged: it cannot be unpacked to its end.`, { cause: error })
      })
      if (next.done) throw new Error(`${file} is cut off after ${rows} rows; nothing was restored.`)
      const line: unknown = JSON.parse(next.value)
      const end = EndLine.safeParse(line)
      if (end.success && end.data.rows === rows) return rows
      const { table, row } = RowLine.parse(line)
      await tx
        .insertInto(table)
        .values(row as unknown as Tables[typeof table])
        .execute()
      rows += 1
    }
  })
}

/** Whether there is anything in the database that a restore would replace. */
export async function hasAccounts({ db }: Database): Promise<boolean> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'account')) return false
  return (await db.selectFrom('account').select('id').limit(1).execute()).length > 0
}

/** Removes every table, for a restore over what is there. */
export async function dropAllTables({ db }: Database): Promise<void> {
  for (const name of [...tableNames].reverse().concat(['kysely_migration', 'kysely_migration_lock'] as never[])) {
    await sql`drop table if exists ${sql.table(name)}`.execute(db)
  }
}
