import { createDeferred, type Deferred } from '../core/deferred.ts'
import { DatabaseAway } from '../core/outages.ts'

/** What a pool holds. */
export interface PooledConnection {
  /** False once it is of no use any more, whatever the reason. */
  readonly isOpen: boolean
  readonly isInTransaction: boolean
  close(): Promise<void>
}

/** Connections that are used by one after the other, opened when they are first needed. */
export interface ConnectionPool<Connection> {
  /** Resolves with a connection that is the caller's until it is given back, in the order of the calls. */
  take(): Promise<Connection>
  giveBack(connection: Connection): void
  /** Rejects those who wait: what the last one failed by is no different for them. */
  refuseWaiting(error: Error): void
  /** What is still asked is answered first. */
  close(): Promise<void>
}

/** A disk that hangs gives nothing back: those who wait are not helped by waiting for ever. */
const MAX_STANDSTILL_SECONDS = 5

export function createConnectionPool<Connection extends PooledConnection>(
  open: () => Connection,
  maxConnections: number,
): ConnectionPool<Connection> {
  const all = new Set<Connection>()
  /** Of connections that are not used any more. */
  const closings = new Set<Promise<void>>()
  const idle: Connection[] = []
  const waiting: Deferred<Connection>[] = []
  let standstillSeconds = 0
  let timer: NodeJS.Timeout | undefined

  function openOneMore(): Connection | undefined {
    if (all.size >= maxConnections) return undefined
    const connection = open()
    all.add(connection)
    return connection
  }

  // In steps: a second in which we stood still ourselves counts for no more than one.
  function countStandstill(): void {
    standstillSeconds += 1
    if (standstillSeconds < MAX_STANDSTILL_SECONDS) return
    refuseWaiting(new DatabaseAway(new Error(`it was busy for ${MAX_STANDSTILL_SECONDS} s`)))
  }

  function waitForOne(): Promise<Connection> {
    const waiter = createDeferred<Connection>()
    waiting.push(waiter)
    timer ??= setInterval(countStandstill, 1000)
    return waiter.promise
  }

  function onProgress(): void {
    standstillSeconds = 0
    if (waiting.length > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function refuseWaiting(error: Error): void {
    for (const waiter of waiting.splice(0)) waiter.reject(error)
    onProgress()
  }

  function replace(connection: Connection): void {
    const closed = connection.close().finally(() => closings.delete(closed))
    closings.add(closed)
  }

  function giveBack(connection: Connection): void {
    const isUsable = connection.isOpen && !connection.isInTransaction
    if (!isUsable) all.delete(connection)
    // Not even a rollback was possible: nobody else could begin a transaction by it any more.
    if (connection.isOpen && !isUsable) replace(connection)
    const usable = isUsable ? connection : waiting.length > 0 ? openOneMore() : undefined
    const next = usable && waiting.shift()
    if (next) next.resolve(usable)
    else if (usable) idle.push(usable)
    onProgress()
  }

  return {
    take: async () => idle.pop() ?? openOneMore() ?? waitForOne(),
    giveBack,
    refuseWaiting,
    async close() {
      refuseWaiting(new Error('The database has been closed.'))
      await Promise.all([...[...all].map((connection) => connection.close()), ...closings])
    },
  }
}
