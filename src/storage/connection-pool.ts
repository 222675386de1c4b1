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
  /**
   * Resolves with a connection that is the caller's until it is given back, in the order of the calls. Rejects when too many wait, or
   * when that takes too long.
   */
  take(): Promise<Connection>
  giveBack(connection: Connection): void
  /** Rejects those who wait: what the last one failed by is no different for them. */
  refuseWaiting(error: Error): void
  /** What is still asked is answered first. */
  close(): Promise<void>
}

/** A disk that hangs gives nothing back: those who wait are not helped by waiting for ever. */
const MAX_STANDSTILL_SECONDS = 5
/** While others make progress: as long as for a connection to PostgreSQL. */
const MAX_WAIT_SECONDS = 20
/** As many as a good disk commits in about that time. */
const MAX_WAITING = 10_000

interface Waiter<Connection> extends Deferred<Connection> {
  /** Counted in seconds in which somebody waited. */
  readonly sinceSeconds: number
}

export function createConnectionPool<Connection extends PooledConnection>(
  open: () => Connection,
  maxConnections: number,
): ConnectionPool<Connection> {
  const all = new Set<Connection>()
  /** Of connections that are not used any more. */
  const closings = new Set<Promise<void>>()
  const idle: Connection[] = []
  const waiting: Waiter<Connection>[] = []
  let standstillSeconds = 0
  let passedSeconds = 0
  let timer: NodeJS.Timeout | undefined

  function openOneMore(): Connection | undefined {
    if (all.size >= maxConnections) return undefined
    const connection = open()
    all.add(connection)
    return connection
  }

  // In steps: a second in which we stood still ourselves counts for no more than one.
  function countSecond(): void {
    standstillSeconds += 1
    passedSeconds += 1
    if (standstillSeconds >= MAX_STANDSTILL_SECONDS)
      return refuseWaiting(new DatabaseAway(new Error(`it was busy for ${MAX_STANDSTILL_SECONDS} s`)))
    // Those who came first are the first.
    const kept = waiting.findIndex(({ sinceSeconds }) => passedSeconds - sinceSeconds < MAX_WAIT_SECONDS)
    const late = waiting.splice(0, kept === -1 ? waiting.length : kept)
    for (const waiter of late)
      waiter.reject(new DatabaseAway(new Error(`others were in front for ${MAX_WAIT_SECONDS} s`)))
    stopWhenNobodyWaits()
  }

  function waitForOne(): Promise<Connection> {
    if (waiting.length >= MAX_WAITING) throw new DatabaseAway(new Error(`${MAX_WAITING} wait for it already`))
    const waiter = { ...createDeferred<Connection>(), sinceSeconds: passedSeconds }
    waiting.push(waiter)
    timer ??= setInterval(countSecond, 1000)
    return waiter.promise
  }

  function onProgress(): void {
    standstillSeconds = 0
    stopWhenNobodyWaits()
  }

  function stopWhenNobodyWaits(): void {
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
