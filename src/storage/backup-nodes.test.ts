import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { readBackup, writeBackup } from './backup.ts'
import { leaseNow } from './lease-clock.ts'

let folder: string
let database: TestDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-backup-'))
  database = await createMigratedDatabase('postgres')
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await database.remove()
})

const addSecret = (value: string) =>
  database.db.insertInto('service_secret').values({ name: 'link.secret', value }).execute()

async function addNode(leaseMs: number): Promise<void> {
  const leaseUntil = sql<number>`${leaseNow} + ${leaseMs}`
  const rest = { instance: 'i', rtsp_url: null, labels: '[]', load: null, version: '1', schema_version: '1' }
  await database.db
    .insertInto('node')
    .values({ id: 'a', epoch: 1, is_alive: 1, lease_until: leaseUntil, is_draining: 0, started_at: 1, ...rest })
    .execute()
}

test('a backup has the secrets of a service of several nodes, and not the nodes that ran then', async () => {
  await addSecret('s'.repeat(43))
  await addNode(60_000)
  const file = join(folder, 'saved')
  await writeBackup(database, {}, file)
  const target = await createTestDatabase('sqlite')
  await readBackup(target, file)
  expect(await target.db.selectFrom('service_secret').selectAll().execute()).toEqual([
    { name: 'link.secret', value: 's'.repeat(43) },
  ])
  expect(await target.db.selectFrom('node').selectAll().execute()).toEqual([])
  await target.remove()
})

test('a secret that can be guessed is not restored', async () => {
  await addSecret('s'.repeat(43))
  const file = join(folder, 'saved')
  await writeBackup(database, {}, file)
  const text = gunzipSync(readFileSync(file)).toString()
  writeFileSync(file, gzipSync(text.replace('s'.repeat(43), 'guess-me')))
  await expect(readBackup(database, file)).rejects.toThrow('is damaged')
})

test('nothing is restored under nodes that run; those that died are in nobody’s way', async () => {
  const file = join(folder, 'saved')
  await writeBackup(database, {}, file)
  await addNode(60_000)
  await expect(readBackup(database, file)).rejects.toThrow('running on this database (a); stop them first')
  await database.db.updateTable('node').set({ lease_until: 1 }).execute()
  await readBackup(database, file)
  expect(await database.db.selectFrom('node').selectAll().execute()).toEqual([])
})
