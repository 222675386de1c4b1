import { createWriteStream } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { z } from 'zod'
import { DEFAULT_BACKUP_LIMITS, type BackupLimits, BackupTooLarge, readBackupLines } from './backup-lines.ts'
import { type Database, type Queryable } from './database.ts'
import { migrateAnew, migrateOn, schemaVersionOf, schemaVersions } from './migrate.ts'
import { listRunningNodes } from './running-nodes.ts'
import { momentaryTableNames, tableNames, type Tables } from './schema.ts'

/**
 * A backup is gzipped JSON lines: a header, a line a row, and an end that counts them. It holds rows, not
 * files of a database, so that what was saved from SQLite can be restored into PostgreSQL and back.
 */

const MASTER_KEY = 'master.key'
const SERVICE_SECRET = 'link.secret'
const SETTINGS = 'config.yml'

const MIN_SECRET_LENGTH = 32
/** The others are the settings. */
const OWN_NAMES = [MASTER_KEY, SERVICE_SECRET]

const Header = z.object({
  format: z.literal('aerie-backup-1'),
  schema_version: z.string(),
  created_at: z.string(),
  // Earlier versions wrote the name that the settings had on that machine.
  files: z
    .record(z.string(), z.string())
    .refine((files) => Object.keys(files).filter((name) => !OWN_NAMES.includes(name)).length <= 1)
    .refine(({ [SERVICE_SECRET]: secret }) => secret === undefined || isSecret(secret)),
})
const RowLine = z
  .object({
    table: z.enum(tableNames),
    // Files are named below a folder of ours: a backup that somebody made up must not have others served or deleted.
    row: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .refine((row) =>
        Object.entries(row).every(([column, value]) => typeof value !== 'string' || isHarmless(column, value)),
      )
      // Backups of earlier versions name the files of videos after these.
      .refine(({ type, input_url: name }) => type !== 'file' || !String(name).includes('/')),
  })
  .refine(({ table, row }) => table !== 'service_secret' || isSecret(row['value']))
const EndLine = z.object({ rows: z.number() })
const Line = z.union([RowLine, EndLine])

/** Small texts that belong to an installation. Where they go is decided by the restoring command, never by a backup. */
export interface BackupFiles {
  readonly masterKey?: string | undefined
  /** Signs links and is whence the instance id comes. Backups of earlier versions have none. */
  readonly serviceSecret?: string | undefined
  readonly settings?: string | undefined
}

/** Writes everything into `file`, as it was at one moment, also while the service goes on writing. Answers the number of rows. */
export async function writeBackup(
  { db, dialect }: Database,
  { masterKey, serviceSecret, settings }: BackupFiles,
  file: string,
): Promise<number> {
  const partial = `${file}.partial`
  const created_at = new Date().toISOString()
  const files = { [MASTER_KEY]: masterKey, [SERVICE_SECRET]: serviceSecret, [SETTINGS]: settings }
  let rows = 0

  async function* lines(tx: Queryable): AsyncGenerator<string> {
    const schema_version = await schemaVersionOf(tx)
    yield toLine({ format: 'aerie-backup-1', schema_version, created_at, files })
    // An installation of an older version has fewer tables.
    const existing = new Set((await tx.introspection.getTables()).map(({ name }) => name))
    for (const table of tableNames.filter((name) => existing.has(name))) {
      for await (const row of tx.selectFrom(table).selectAll().stream(1000)) {
        rows += 1
        yield toLine({ table, row })
      }
    }
    yield toLine({ rows })
  }

  try {
    const reading = db.transaction().setAccessMode('read only')
    const snapshot = dialect === 'postgres' ? reading.setIsolationLevel('repeatable read') : reading
    await snapshot.execute(async (tx) => {
      await pipeline(Readable.from(lines(tx)), createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }))
    })
    await chmod(partial, 0o600)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return rows
}

/** Whoever can guess it can sign links. */
function isSecret(value: unknown): boolean {
  return typeof value === 'string' && value.trim().length >= MIN_SECRET_LENGTH
}

const PATH_COLUMNS = ['file', 'folder', 'object_key']

/** Ids are names of folders. */
function isHarmless(column: string, value: string): boolean {
  if (PATH_COLUMNS.includes(column)) return isBelowFolder(value)
  return !/^(id|.+_id)$/.test(column) || (isBelowFolder(value) && !value.includes('/') && value !== '.')
}

function isBelowFolder(path: string): boolean {
  return path !== '' && !isAbsolute(path) && !path.includes('\0') && normalize(path).split('/')[0] !== '..'
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/**
 * Puts what is in `file` in the place of everything in the database, bringing older backups up to date. All of it is one
 * transaction, and the file is read to its end before that begins: whatever is wrong, what was there stays. `stageFiles`
 * gets the files that were saved with it while a failure of its own can still undo everything.
 */
export async function readBackup(
  { db, dialect }: Database,
  file: string,
  stageFiles: (files: BackupFiles) => void = () => {},
  limits = DEFAULT_BACKUP_LIMITS,
): Promise<number> {
  for await (const _row of (await openBackup(file, limits)).rows);
  const { header, rows } = await openBackup(file, limits)
  return db.transaction().execute(async (tx) => {
    if (dialect === 'postgres') await requireNoNodes(tx)
    await dropAllTables(tx)
    await migrateAnew(tx, header.schema_version)
    const count = await insertRows(tx, rows)
    await bringUpToDate(tx, header.schema_version)
    const { [MASTER_KEY]: masterKey, [SERVICE_SECRET]: serviceSecret, ...others } = header.files
    stageFiles({ masterKey, serviceSecret, settings: Object.values(others)[0] })
    return count
  })
}

async function openBackup(file: string, limits: BackupLimits) {
  const lines = readBackupLines(file, limits)
  try {
    return { header: await readHeader(lines, file), rows: readRows(lines, file) }
  } catch (error) {
    // Closes the file, which would stay open else.
    await lines.return(undefined)
    throw error
  }
}

async function readHeader(lines: AsyncIterator<string, undefined>, file: string): Promise<z.infer<typeof Header>> {
  let header: z.infer<typeof Header>
  try {
    header = Header.parse(JSON.parse((await lines.next()).value ?? ''))
  } catch (error) {
    if (error instanceof BackupTooLarge) throw error
    throw new Error(`${file} is not a backup of Aerie, or is damaged.`, { cause: error })
  }
  if (!schemaVersions.includes(header.schema_version)) {
    throw new Error(
      `${file} was made by a newer version of Aerie (${header.schema_version}); restore it with that version.`,
    )
  }
  return header
}

/** Reads on after the end line, to where gzip's checksum is. */
async function* readRows(lines: AsyncIterable<string>, file: string): AsyncGenerator<z.infer<typeof RowLine>> {
  let rows = 0
  let isWhole = false
  try {
    for await (const text of lines) {
      const line = Line.parse(JSON.parse(text))
      if ('rows' in line) {
        isWhole = line.rows === rows
      } else {
        rows += 1
        yield line
      }
    }
  } catch (error) {
    if (error instanceof BackupTooLarge) throw error
    // The header is line 1.
    throw new Error(`${file} is damaged after ${rows} rows, in line ${rows + 2}; nothing was restored.`, {
      cause: error,
    })
  }
  if (!isWhole) throw new Error(`${file} is cut off after ${rows} rows; nothing was restored.`)
}

async function insertRows(tx: Queryable, rows: AsyncIterable<z.infer<typeof RowLine>>): Promise<number> {
  let count = 0
  for await (const { table, row } of rows) {
    await tx
      .insertInto(table)
      .values(row as unknown as Tables[typeof table])
      .execute()
      .catch((error: unknown) => {
        throw new Error(
          `The backup is damaged: its row ${count + 1} does not fit into the table ${table}; nothing was restored.`,
          { cause: error },
        )
      })
    count += 1
  }
  return count
}

/** Migrations trust what an older version wrote, and a backup may hold what none did. */
async function bringUpToDate(tx: Queryable, version: string): Promise<void> {
  await migrateOn(tx, version).catch((error: unknown) => {
    const reason = (error as Error).message.replace(/\.$/, '')
    throw new Error(`The rows of the backup cannot be brought up to date (${reason}); nothing was restored.`, {
      cause: error,
    })
  })
}

/** Whether there is anything in the database that a restore would replace. */
export async function hasAccounts({ db }: Database): Promise<boolean> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'account')) return false
  return (await db.selectFrom('account').select('id').limit(1).execute()).length > 0
}

/** Of a service of several nodes, others may run while the one of this data folder is stopped. */
async function requireNoNodes(tx: Queryable): Promise<void> {
  const running = await listRunningNodes(tx)
  if (running.length === 0) return
  throw new Error(
    `Nodes of the service are running on this database (${running.join(', ')}); stop them first. Nothing was restored.`,
  )
}

/** Tables that are there already would keep their newer shape, so an older backup needs them gone, even if empty. */
async function dropAllTables(tx: Queryable): Promise<void> {
  for (const name of [...momentaryTableNames, ...tableNames.toReversed()])
    await sql`drop table if exists ${sql.table(name)}`.execute(tx)
}
