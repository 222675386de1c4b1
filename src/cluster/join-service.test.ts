import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { joinService } from './join-service.ts'
import { ALONE_CONNECTIONS } from './node-connections.store.ts'

const folder = useTemporaryFolder('aerie-join-')
let database: TestDatabase
let alone: Database
beforeEach(async () => {
  database = await createMigratedDatabase('postgres')
  alone = openDatabase(database.url, undefined, { name: ALONE_CONNECTIONS })
})
afterEach(async () => {
  await alone.close()
  await database.remove()
})

const join = () =>
  joinService(
    {
      id: 'b',
      instance: 'i',
      labels: [],
      version: '1',
      leaseMs: 60_000,
      databaseUrl: database.url,
      dataDir: folder(),
    },
    { clock: systemClock, log: createLog({ level: 'silent' }) },
  )
const rowsOf = (table: 'node' | 'service_secret') => database.db.selectFrom(table).selectAll().execute()

test('nobody joins while a service of one node runs on the database: it goes on with what nodes would be given', async () => {
  await alone.ping()
  await expect(join()).rejects.toThrow('A service of one node runs on this database.')
  expect([await rowsOf('node'), await rowsOf('service_secret')]).toEqual([[], []])
})

test('once that has stopped, the first node joins, and what it signs links with is the secret of all', async () => {
  await alone.ping()
  await alone.close()
  const joined = await join()
  expect(await rowsOf('node')).toMatchObject([{ id: 'b', is_alive: 1 }])
  expect(await rowsOf('service_secret')).toMatchObject([{ value: joined.secret }])
  expect(await joined.leave()).toBe(true)
})
