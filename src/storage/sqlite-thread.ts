import type Sqlite from 'libsql'

/** What the thread gets to begin with. */
export interface SqliteTask {
  readonly path: string
  /** Statements that are run when the file is opened. */
  readonly setUp: readonly string[]
  /** A file from whose place npm packages are looked up. */
  readonly from: string
}

/** An order to the thread. Each is answered once, in the order in which they came. */
export type SqliteOrder =
  | { readonly kind: 'execute'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'open-rows'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** The next rows of those opened last; fewer than asked for are the last. */
  | { readonly kind: 'fetch'; readonly count: number }
  | { readonly kind: 'close' }

export interface SqliteResult {
  readonly rows: unknown[]
  /** Of what wrote. */
  readonly changes?: number
  readonly lastId?: number | bigint
}

export type SqliteAnswer = { readonly isInTransaction: boolean } & (
  | ({ readonly kind: 'done' } & SqliteResult)
  // An error would lose its code on the way.
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }
)

/**
 * One connection to a SQLite database, in a thread of its own: the driver blocks the thread that calls it for as long as the disk takes,
 * or another program keeps the file locked. Only the text of this function gets there (a thread cannot be started from TypeScript
 * everywhere), so it may name nothing outside itself but types.
 */
export function sqliteThread(): void {
  const threads = process.getBuiltinModule('node:worker_threads')
  const { parentPort } = threads
  const { path, setUp, from } = threads.workerData as SqliteTask
  const { createRequire } = process.getBuiltinModule('node:module')
  const Database = createRequire(from)('libsql') as typeof Sqlite

  /** Three times as fast as to prepare each anew. */
  const MAX_PREPARED = 200

  let database: Sqlite.Database | undefined
  /** By their text, those used last at the end. */
  const prepared = new Map<string, Sqlite.Statement>()
  let rows: Iterator<unknown, undefined> | undefined

  // Tried again by the next order where it failed: the file may have been locked, or the disk full.
  const opened = (): Sqlite.Database => {
    if (database) return database
    const connection = new Database(path)
    try {
      for (const statement of setUp) connection.exec(statement)
    } catch (error) {
      connection.close()
      throw error
    }
    return (database = connection)
  }

  const prepare = (sql: string): Sqlite.Statement => {
    const statement = prepared.get(sql) ?? opened().prepare(sql)
    prepared.delete(sql)
    prepared.set(sql, statement)
    if (prepared.size > MAX_PREPARED) prepared.delete(prepared.keys().next().value!)
    return statement
  }

  const execute = (sql: string, parameters: readonly unknown[]): SqliteResult => {
    const statement = prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], changes, lastId: lastInsertRowid }
  }

  const fetch = (count: number): unknown[] => {
    const fetched: unknown[] = []
    while (rows && fetched.length < count) {
      const next = rows.next()
      if (next.done) rows = undefined
      else fetched.push(next.value)
    }
    return fetched
  }

  const follow = (order: SqliteOrder): SqliteResult => {
    switch (order.kind) {
      case 'execute':
        return execute(order.sql, order.parameters)
      case 'open-rows':
        rows = opened().prepare(order.sql).iterate(order.parameters)
        return { rows: [] }
      case 'fetch':
        return { rows: fetch(order.count) }
      case 'close':
        prepared.clear()
        database?.close()
        database = undefined
        return { rows: [] }
    }
  }

  const answerTo = (order: SqliteOrder): SqliteAnswer => {
    const isInTransaction = (): boolean => database?.inTransaction ?? false
    try {
      const result = follow(order)
      return { kind: 'done', ...result, isInTransaction: isInTransaction() }
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: string }
      return { kind: 'failed', message, code, isInTransaction: isInTransaction() }
    }
  }

  parentPort?.on('message', (order: SqliteOrder) => {
    parentPort.postMessage(answerTo(order))
    if (order.kind === 'close') parentPort.close()
  })
}
