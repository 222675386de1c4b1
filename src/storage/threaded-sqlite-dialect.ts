import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { DatabaseAway, isDatabaseAway } from '../core/outages.ts'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { type SqliteResult } from './sqlite-thread.ts'

/**
 * SQLite for several processes on one file, in threads of its own. One connection writes, and others answer those who only read, which
 * never wait for it. A transaction takes the right to write when it begins, since one that has read already can't wait for it any more
 * ("database is locked"); those that only read say so. Migrations run in one transaction, which SQLite is well able to do: a kill in the
 * middle leaves nothing half done.
 */
export class ThreadedSqliteDialect implements Dialect {
  readonly #path: string
  readonly #onBeginFailure: (error: unknown) => void

  /** `onBeginFailure`: a transaction could not begin, of which Kysely's log does not know. */
  constructor(path: string, onBeginFailure: (error: unknown) => void) {
    this.#path = path
    this.#onBeginFailure = onBeginFailure
  }

  createDriver(): Driver {
    return new ThreadedDriver(this.#path, this.#onBeginFailure)
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const SET_UP = [
  // The command line writes to the same file while the service runs. First, because the next line may have to wait too.
  'pragma busy_timeout = 5000',
  'pragma journal_mode = wal',
  // A commit is on the disk when it returns, also if the power fails.
  'pragma synchronous = full',
  'pragma foreign_keys = on',
]
/** So that a report, or a backup, does not hold up requests. */
const MAX_READERS = 2

type Pool = ConnectionPool<SqliteConnection>

interface Pools {
  readonly writers: Pool
  readonly readers: Pool
}

class ThreadedDriver implements Driver {
  readonly #pools: Pools
  readonly #onBeginFailure: (error: unknown) => void

  constructor(path: string, onBeginFailure: (error: unknown) => void) {
    this.#onBeginFailure = onBeginFailure
    this.#pools = {
      writers: createConnectionPool(() => openSqliteConnection(path, SET_UP), 1),
      readers: createConnectionPool(
        () => openSqliteConnection(path, [...SET_UP, 'pragma query_only = on']),
        MAX_READERS,
      ),
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LazyConnection> {
    return new LazyConnection(this.#pools)
  }

  async beginTransaction(connection: LazyConnection, { accessMode }: TransactionSettings): Promise<void> {
    try {
      await connection.begin(accessMode === 'read only')
    } catch (error) {
      this.#onBeginFailure(error)
      throw error
    }
  }

  async commitTransaction(connection: LazyConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: LazyConnection): Promise<void> {
    await connection.rollBack()
  }

  async releaseConnection(connection: LazyConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pools.readers.close()
    await this.#pools.writers.close()
  }
}

interface Taken {
  readonly pool: Pool
  readonly connection: SqliteConnection
}

/** Takes a connection when it knows what for, and keeps it until it is released. */
class LazyConnection implements DatabaseConnection {
  readonly #pools: Pools
  #taken: Taken | undefined

  constructor(pools: Pools) {
    this.#pools = pools
  }

  async begin(isReadOnly: boolean): Promise<void> {
    await this.#execute(isReadOnly, isReadOnly ? 'begin' : 'begin immediate')
  }

  // On a full disk SQLite has rolled back already; that there is nothing to roll back would be said instead of why.
  async rollBack(): Promise<void> {
    if (this.#taken?.connection.isInTransaction) await this.#taken.connection.execute('rollback', [])
  }

  async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return toQueryResult(await this.#execute(SelectQueryNode.is(query), sql, parameters))
  }

  async *streamQuery<Row>(
    { sql, parameters }: CompiledQuery,
    chunkSize = 100,
  ): AsyncIterableIterator<QueryResult<Row>> {
    const { connection } = await this.#take(true)
    for await (const rows of connection.iterate(sql, parameters, chunkSize)) yield { rows: rows as Row[] }
  }

  release(): void {
    this.#taken?.pool.giveBack(this.#taken.connection)
    this.#taken = undefined
  }

  async #take(isReading: boolean): Promise<Taken> {
    if (this.#taken) return this.#taken
    const pool = isReading ? this.#pools.readers : this.#pools.writers
    return (this.#taken = { pool, connection: await pool.take() })
  }

  async #execute(isReading: boolean, sql: string, parameters: readonly unknown[] = []): Promise<SqliteResult> {
    const { pool, connection } = await this.#take(isReading)
    try {
      return await connection.execute(sql, parameters)
    } catch (error) {
      // Another program keeps the file locked: each of those behind would wait as long again.
      if (isDatabaseAway(error)) pool.refuseWaiting(new DatabaseAway(error as Error))
      throw error
    }
  }
}

function toQueryResult<Row>({ rows, changes, lastId }: SqliteResult): QueryResult<Row> {
  return {
    rows: rows as Row[],
    ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
    ...(lastId !== undefined && { insertId: BigInt(lastId) }),
  }
}
