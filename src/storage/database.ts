import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Dialect, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import Sqlite from 'libsql'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { AppError } from '../core/errors.ts'
import { isDatabaseAway, isDiskFull } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { type NodeAdmission } from './node-admission.ts'
import { createPostgresPool } from './postgres-pool.ts'
import { type Tables } from './schema.ts'
import { ThreadedSqliteDialect } from './threaded-sqlite-dialect.ts'

export type Db = Kysely<Tables>
/** A database or a transaction on it: what a store's inner functions take. */
export type Queryable = Db | Transaction<Tables>

export interface Database {
  readonly db: Db
  readonly dialect: 'sqlite' | 'postgres'
  /** Rejects when the database does not answer, or a moment ago found its disk full or did not answer another. */
  ping(): Promise<void>
  close(): Promise<void>
  /** SQLite: the same, and everything is in the one file, so that it can be moved. */
  closeForMove(): Promise<void>
}

export interface PostgresOptions {
  /** Of a node of several: it may be connected only for as long as it is one of them. */
  readonly admission?: NodeAdmission
  readonly maxConnections?: number
  /** What its connections are called in `pg_stat_activity`. */
  readonly name?: string
}

const MAX_POSTGRES_CONNECTIONS = 10

/** How long a query that failed by the database itself makes it one that does not work. */
const FAILED_FOR_MS = 10_000

/** Opens `sqlite:path` or `postgres://…`. SQLite is in WAL mode: readers never wait, and `kill -9` loses nothing that was committed. */
export function openDatabase(url: string, log?: Log, options: PostgresOptions = {}): Database {
  const sqlitePath = sqlitePathOf(url)
  const isSqlite = sqlitePath !== undefined
  const dialect = isSqlite ? sqliteDialect(sqlitePath, noteFailure) : postgresDialect(url, log, options)
  let lastFailure: { readonly reason: string; readonly atMs: number } | undefined
  const db = new Kysely<Tables>({
    dialect,
    log(event) {
      if (event.level === 'error') noteFailure(event.error)
    },
  })

  function noteFailure(error: unknown): void {
    const reason = outageIn(error)
    if (reason !== undefined) lastFailure = { reason, atMs: performance.now() }
  }

  async function close(): Promise<void> {
    // What is only in the log would be missed by a copy of the one file after a clean stop.
    if (isSqlite) await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => {})
    await db.destroy()
  }

  return {
    db,
    dialect: isSqlite ? 'sqlite' : 'postgres',
    async ping() {
      await sql`select 1`.execute(db)
      if (lastFailure && performance.now() - lastFailure.atMs < FAILED_FOR_MS) throw new Error(lastFailure.reason)
    },
    close,
    async closeForMove() {
      await close()
      if (isSqlite) leaveLogMode(sqlitePath)
    },
  }
}

function outageIn(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'the disk of the database is full'
  return isDatabaseAway(error) ? (error as Error).message : undefined
}

/** Moves everything from the write-ahead log into the file; only who is alone with it can. */
function leaveLogMode(path: string): void {
  const database = new Sqlite(path)
  try {
    database.exec('pragma journal_mode = delete')
  } finally {
    database.close()
  }
}

/** Where the file is, if the database is SQLite. */
export function sqlitePathOf(url: string): string | undefined {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
}

function sqliteDialect(path: string, onBeginFailure: (error: unknown) => void): Dialect {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return new ThreadedSqliteDialect(path, onBeginFailure)
}

function postgresDialect(
  connectionString: string,
  log: Log | undefined,
  { admission, maxConnections: max = MAX_POSTGRES_CONNECTIONS, name }: PostgresOptions,
): PostgresDialect {
  // Our integers (bigint, and numeric from sums over it) stay far below 2^53.
  const numbers: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]
  const getTypeParser = (oid: number, format: 'text') =>
    numbers.includes(oid) ? Number : (pg.types.getTypeParser(oid, format) as unknown)
  const types = { getTypeParser } as pg.CustomTypesConfig
  const pool = createPostgresPool({ connectionString, max, types, application_name: name }, { log, admission })
  return new PostgresDialect({ pool, cursor: Cursor })
}

/** Writing a row before reading others makes transactions that do the same wait for each other, in both databases (SQLite has no `select … for update`). */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx
    .updateTable('account')
    .set((eb) => ({ consumed_seconds: eb.ref('consumed_seconds') }))
    .where('id', '=', accountId)
    .execute()
}

/** The same for what adds something to an account: whose key is revoked by now gets nothing new, however long ago it was let in. */
export async function lockActiveAccount(tx: Queryable, accountId: string): Promise<void> {
  await lockAccount(tx, accountId)
  const account = await tx.selectFrom('account').select('revoked_at').where('id', '=', accountId).executeTakeFirst()
  if (account?.revoked_at !== null) throw new AppError('api-key-invalid')
}
