import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, sql, type SqliteDialect, type Transaction } from 'kysely'
import Sqlite from 'libsql'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { AppError } from '../core/errors.ts'
import { isDiskFull } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { createPostgresPool } from './postgres-pool.ts'
import { type Tables } from './schema.ts'
import { WritingSqliteDialect } from './writing-sqlite-dialect.ts'

export type Db = Kysely<Tables>
/** A database or a transaction on it: what a store's inner functions take. */
export type Queryable = Db | Transaction<Tables>

export interface Database {
  readonly db: Db
  readonly dialect: 'sqlite' | 'postgres'
  /** Rejects when the database does not answer, or found its disk full a moment ago. */
  ping(): Promise<void>
  /** SQLite: moves everything from the write-ahead log into the one file, so that the file can be moved. */
  foldLog(): Promise<void>
  close(): Promise<void>
}

/** How long a write that found no room makes the database one that does not work. */
const FULL_FOR_MS = 10_000

/** Opens `sqlite:path` or `postgres://…`. SQLite is in WAL mode: readers never wait, and `kill -9` loses nothing that was committed. */
export function openDatabase(url: string, log?: Log): Database {
  const sqlitePath = sqlitePathOf(url)
  const isSqlite = sqlitePath !== undefined
  const dialect = isSqlite ? sqliteDialect(sqlitePath) : postgresDialect(url, log)
  let fullAtMs = -Infinity
  const db = new Kysely<Tables>({
    dialect,
    log(event) {
      if (event.level === 'error' && isDiskFull(event.error)) fullAtMs = performance.now()
    },
  })
  return {
    db,
    dialect: isSqlite ? 'sqlite' : 'postgres',
    async ping() {
      await sql`select 1`.execute(db)
      if (performance.now() - fullAtMs < FULL_FOR_MS) throw new Error('the disk of the database is full')
    },
    foldLog: async () => void (isSqlite && (await sql`pragma journal_mode = delete`.execute(db))),
    async close() {
      // What is only in the log would be missed by a copy of the one file after a clean stop.
      if (isSqlite) await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => {})
      await db.destroy()
    },
  }
}

/** Where the file is, if the database is SQLite. */
export function sqlitePathOf(url: string): string | undefined {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
}

function sqliteDialect(path: string): SqliteDialect {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const database = new Sqlite(path)
  try {
    // The command line writes to the same file while the service runs. First, because the next line may have to wait too.
    database.exec('pragma busy_timeout = 5000')
    database.exec('pragma journal_mode = wal')
    // A commit is on the disk when it returns, also if the power fails.
    database.exec('pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
  } catch (error) {
    database.close()
    throw error
  }
  return new WritingSqliteDialect({ database })
}

function postgresDialect(connectionString: string, log: Log | undefined): PostgresDialect {
  // Our integers (bigint, and numeric from sums over it) stay far below 2^53.
  const numbers: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC]
  const getTypeParser = (oid: number, format: 'text') =>
    numbers.includes(oid) ? Number : (pg.types.getTypeParser(oid, format) as unknown)
  const types = { getTypeParser } as pg.CustomTypesConfig
  const pool = createPostgresPool({ connectionString, max: 10, types }, log)
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
