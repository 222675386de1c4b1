import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeferred } from '../core/deferred.ts'
import { isDatabaseAway } from '../core/outages.ts'
import { createConnectionPool } from './connection-pool.ts'

class FakeConnection {
  isOpen = true
  isInTransaction = false
  async close(): Promise<void> {
    this.isOpen = false
  }
}

let opened: FakeConnection[]
const poolOf = (maxConnections: number) =>
  createConnectionPool(() => {
    const connection = new FakeConnection()
    opened.push(connection)
    return connection
  }, maxConnections)

beforeEach(() => {
  opened = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('connections are opened when they are needed, and used again', async () => {
  const pool = poolOf(2)
  expect(opened).toHaveLength(0)
  const first = await pool.take()
  pool.giveBack(first)
  expect(await pool.take()).toBe(first)
  expect(await pool.take()).not.toBe(first)
  expect(opened).toHaveLength(2)
})

test('who waits is served in the order of the calls', async () => {
  const pool = poolOf(1)
  const connection = await pool.take()
  const served: number[] = []
  const waiting = [1, 2, 3].map(async (number) => {
    const taken = await pool.take()
    served.push(number)
    pool.giveBack(taken)
  })
  pool.giveBack(connection)
  await Promise.all(waiting)
  expect(served).toEqual([1, 2, 3])
  expect(opened).toHaveLength(1)
})

test('one whose transaction did not end is replaced', async () => {
  const pool = poolOf(1)
  const stuck = await pool.take()
  const next = pool.take()
  stuck.isInTransaction = true
  pool.giveBack(stuck)
  expect(await next).not.toBe(stuck)
  expect(stuck.isOpen).toBe(false)
  expect(opened).toHaveLength(2)
})

test('a pool is closed when those that were replaced are, too', async () => {
  const pool = poolOf(1)
  const stuck = await pool.take()
  const ending = createDeferred()
  stuck.close = () => ending.promise
  stuck.isInTransaction = true
  pool.giveBack(stuck)
  let isClosed = false
  const closed = pool.close().then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(1)
  expect(isClosed).toBe(false)
  ending.resolve()
  await closed
})

test('where nothing is given back for five seconds, the database is away for all who wait', async () => {
  const pool = poolOf(1)
  await pool.take()
  const failures = [pool.take(), pool.take()].map((taken) => taken.catch((error: unknown) => error))
  await vi.advanceTimersByTimeAsync(5000)
  for (const failure of failures) expect(isDatabaseAway(await failure)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('who waits behind many that make progress is not refused, for twenty seconds', async () => {
  const pool = poolOf(1)
  let connection = await pool.take()
  const waiting = Array.from({ length: 12 }, () => pool.take())
  const failures = waiting.slice(6).map((taken) => taken.catch((error: unknown) => error))
  for (const taken of waiting.slice(0, 6)) {
    await vi.advanceTimersByTimeAsync(3000)
    pool.giveBack(connection)
    connection = await taken
  }
  await vi.advanceTimersByTimeAsync(1000)
  const late = pool.take()
  await vi.advanceTimersByTimeAsync(1000)
  for (const failure of failures) expect(isDatabaseAway(await failure)).toBe(true)
  pool.giveBack(connection)
  pool.giveBack(await late)
  expect(opened).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('a burst of thousands is served, in order, and what comes beyond ten thousand that wait is refused', async () => {
  const pool = poolOf(1)
  const connection = await pool.take()
  const served: number[] = []
  const burst = Array.from({ length: 10_000 }, async (_, number) => {
    const taken = await pool.take()
    served.push(number)
    pool.giveBack(taken)
  })
  await expect(pool.take()).rejects.toSatisfy(isDatabaseAway)
  pool.giveBack(connection)
  await Promise.all(burst)
  expect(served).toEqual(Array.from({ length: 10_000 }, (_, number) => number))
})

test('a connection that broke is replaced by a new one, for who waits and for who comes', async () => {
  const pool = poolOf(1)
  const broken = await pool.take()
  const waiting = pool.take()
  broken.isOpen = false
  pool.giveBack(broken)
  const second = await waiting
  expect(second).not.toBe(broken)
  second.isOpen = false
  pool.giveBack(second)
  expect((await pool.take()).isOpen).toBe(true)
})

test('a pool that is closed closes what it opened, and refuses those who wait', async () => {
  const pool = poolOf(1)
  await pool.take()
  const waiting = pool.take()
  const refused = expect(waiting).rejects.toThrow('The database has been closed.')
  await pool.close()
  await refused
  expect(opened[0]!.isOpen).toBe(false)
})
