import { Worker } from 'node:worker_threads'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type PooledConnection } from './connection-pool.ts'
import {
  type SqliteAnswer,
  type SqliteOrder,
  type SqliteResult,
  sqliteThread,
  type SqliteTask,
} from './sqlite-thread.ts'

/** One connection to a SQLite database. What waits for the disk, or for a lock, is a thread of its own. */
export interface SqliteConnection extends PooledConnection {
  execute(sql: string, parameters: readonly unknown[]): Promise<SqliteResult>
  /** So many rows at a time. Nothing else may be asked in between. */
  iterate(sql: string, parameters: readonly unknown[], count: number): AsyncIterable<unknown[]>
}

export function openSqliteConnection(path: string, setUp: readonly string[]): SqliteConnection {
  const task: SqliteTask = { path, setUp, from: import.meta.url }
  const worker = new Worker(`(${sqliteThread.toString()})()`, { eval: true, workerData: task })
  /** In the order of the orders, which is that of the answers. */
  const waiting: Deferred<SqliteResult>[] = []
  let isInTransaction = false
  let failure: Error | undefined

  worker.unref()
  worker.on('message', (answer: SqliteAnswer) => {
    const waiter = waiting.shift()
    if (waiting.length === 0) worker.unref()
    isInTransaction = answer.isInTransaction
    if (answer.kind === 'failed') waiter?.reject(Object.assign(new Error(answer.message), { code: answer.code }))
    else waiter?.resolve(answer)
  })
  const fail = (error: Error): void => {
    failure ??= error
    for (const waiter of waiting.splice(0)) waiter.reject(failure)
  }
  worker.on('error', (error) => fail(new Error('The thread of the database crashed.', { cause: error })))
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(new Error('The database has been closed.'))
      resolve()
    })
  })

  async function ask(order: SqliteOrder): Promise<SqliteResult> {
    if (failure) throw failure
    const waiter = createDeferred<SqliteResult>()
    waiting.push(waiter)
    // Whoever waits keeps the process alive; an open connection does not.
    worker.ref()
    worker.postMessage(order)
    return waiter.promise
  }

  return {
    execute: (sql, parameters) => ask({ kind: 'execute', sql, parameters }),
    async *iterate(sql, parameters, count) {
      await ask({ kind: 'open-rows', sql, parameters })
      for (;;) {
        const { rows } = await ask({ kind: 'fetch', count })
        if (rows.length > 0) yield rows
        if (rows.length < count) return
      }
    },
    get isInTransaction() {
      return isInTransaction
    },
    get isOpen() {
      return failure === undefined
    },
    async close() {
      if (failure) return
      await ask({ kind: 'close' }).catch(() => {})
      worker.ref()
      await ended
    },
  }
}
