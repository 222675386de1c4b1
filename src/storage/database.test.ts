import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { until } from '../../test/support/until.ts'
import { isDatabaseAway, isDiskFull } from '../core/outages.ts'
import { sqlitePathOf } from './database.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  // As on a full disk: not one page more.
  await sql`pragma max_page_count = 1`.execute(database.db)
})
afterEach(() => database.remove())

const aJob = {
  id: '1',
  kind: 'mail',
  payload: 'x'.repeat(1 << 20),
  state: 'waiting',
  run_at: 0,
  created_at: 0,
} as const
const rest = { unique_key: null, attempts: 0, lease_until: null, lease_owner: null, last_error: null, node_id: null }
const insertIn = (db: TestDatabase['db']) =>
  db
    .insertInto('job')
    .values({ ...aJob, ...rest })
    .execute()

describe('a file that another program keeps locked', () => {
  let other: SqliteConnection
  beforeEach(async () => {
    await sql`pragma max_page_count = 1000000`.execute(database.db)
    other = openSqliteConnection(sqlitePathOf(database.url)!, [])
    await other.execute('begin immediate', [])
  })
  afterEach(() => other.close())

  const free = () => other.execute('rollback', [])

  test('is away, for all who wait to write, and for a while to whoever asks', async () => {
    await sql`pragma busy_timeout = 300`.execute(database.db)
    const failures = Array.from({ length: 20 }, () => insertIn(database.db).catch((error: unknown) => error))
    for (const failure of failures) expect(isDatabaseAway(await failure)).toBe(true)
    await expect(database.ping()).rejects.toThrow('database is locked')
    await free()
    await insertIn(database.db)
  })

  test('is noted also where it is found at the beginning of a transaction', async () => {
    await sql`pragma busy_timeout = 300`.execute(database.db)
    const begun = database.db.transaction().execute(async () => {})
    await expect(begun).rejects.toSatisfy(isDatabaseAway)
    await expect(database.ping()).rejects.toThrow('database is locked')
    await free()
  })

  test('makes nobody wait but those who write, until it is free', async () => {
    const delays = monitorEventLoopDelay({ resolution: 5 })
    delays.enable()
    let isWritten = false
    const written = insertIn(database.db).then(() => (isWritten = true))
    const ends = performance.now() + 1500
    while (performance.now() < ends) await database.db.selectFrom('job').selectAll().execute()
    expect(isWritten).toBe(false)
    await free()
    await written
    // It would have been all of the 1500 ms, were the driver in this thread.
    expect(delays.max / 1e6).toBeLessThan(750)
    expect(await database.db.selectFrom('job').select('id').execute()).toEqual([{ id: '1' }])
  })
})

test('a PostgreSQL that ends our connections ends nothing else: the next query has a new one', async () => {
  const postgres = await createMigratedDatabase('postgres')
  const pidIn = async (db: TestDatabase['db']) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const broken = postgres.db.transaction().execute(async (tx) => {
    const pid = await pidIn(tx)
    await sql`select pg_terminate_backend(${pid})`.execute(postgres.db)
    // Between two queries nobody waits for the connection; what breaks it now must be heard by somebody.
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(postgres.db)
      return rows.length === 0
    })
    await pidIn(tx)
  })
  await expect(broken).rejects.toThrow()
  expect(await pidIn(postgres.db)).toBeGreaterThan(0)
  await postgres.remove()
})

test('a transaction that finds no room says so, and the next one works', async () => {
  const inserted = database.db.transaction().execute((tx) => insertIn(tx))
  const error = await inserted.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'SQLITE_FULL', message: 'database or disk is full' })
  expect(isDiskFull(error)).toBe(true)
  await database.db.transaction().execute((tx) => tx.deleteFrom('job').execute())
})

test('a transaction that was never ended is in the way of no other', async () => {
  await database.db.connection().execute((connection) => sql`begin immediate`.execute(connection))
  await database.db.transaction().execute((tx) => tx.deleteFrom('job').execute())
})

test('a database that found its disk full a moment ago does not answer as if it worked', async () => {
  await database.ping()
  await expect(insertIn(database.db)).rejects.toThrow()
  await expect(database.ping()).rejects.toThrow('the disk of the database is full')
})
