import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aLoad, aNode, createClusterRig, type ClusterRig } from '../../test/support/cluster-rig.ts'
import { openDatabase } from '../storage/database.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { latestSchemaVersion } from '../storage/migrate.ts'
import { createNodeStore } from './node.store.ts'

let rig: ClusterRig
beforeEach(async () => void (rig = await createClusterRig()))
afterEach(() => rig.close())

const joined = async (change = {}) => (await rig.nodes.join(aNode('a', change)))?.epoch

test('a node is known to all as it said', async () => {
  const epoch = (await joined({ labels: ['gpu'], version: '1.2.3' }))!
  expect(await rig.nodes.list()).toEqual([
    {
      id: 'a',
      epoch,
      isAlive: true,
      isDraining: false,
      rtspUrl: null,
      labels: ['gpu'],
      load: null,
      version: '1.2.3',
      schemaVersion: latestSchemaVersion,
      startedAt: 1,
    },
  ])
  const nowMs = await rig.nodes.renew({ id: 'a', epoch, leaseMs: 5_000, load: aLoad(3), rtspUrl: 'rtsp://a:1' })
  expect(nowMs).toBeGreaterThan(1_700_000_000_000)
  expect(await rig.nodes.list()).toMatchObject([{ load: { room: 3 }, rtspUrl: 'rtsp://a:1' }])
})

test('the same data folder joins anew at once, after whatever befell it; another only when the lease has ended', async () => {
  const first = (await joined())!
  expect(await joined({ instance: 'another data folder' })).toBeUndefined()
  expect(await rig.nodes.renew({ id: 'a', epoch: first, leaseMs: 60_000, load: null, rtspUrl: null })).toBeDefined()
  expect(await joined()).toBe(first + 1)
  await rig.endLease('a')
  expect(await joined({ instance: 'another data folder' })).toBe(first + 2)
  expect(await joined()).toBeUndefined()
})

test('of two that join at the same time by one name, on two data folders, one does', async () => {
  const epochs = await Promise.all(['one', 'other'].map((instance) => joined({ instance })))
  expect(epochs.filter((epoch) => epoch !== undefined)).toHaveLength(1)
})

test('a lease that has ended is renewed all the same, while nobody took the epoch', async () => {
  const epoch = (await joined())!
  await rig.endLease('a')
  const renew = () => rig.nodes.renew({ id: 'a', epoch, leaseMs: 60_000, load: null, rtspUrl: null })
  expect(await renew()).toBeDefined()
  await rig.nodes.leave('a', epoch)
  expect(await renew()).toBeUndefined()
  expect(await rig.nodes.list()).toMatchObject([{ epoch: epoch + 1, isAlive: false }])
})

test('whoever left may be followed by another data folder at once; an old epoch gives nothing up', async () => {
  const epoch = (await joined())!
  expect(await rig.nodes.leave('a', epoch - 1)).toBe(false)
  expect(await joined({ instance: 'another' })).toBeUndefined()
  expect(await rig.nodes.leave('a', epoch)).toBe(true)
  expect(await joined({ instance: 'another' })).toBe(epoch + 2)
})

test('a node that is draining is draining when it comes back', async () => {
  await joined()
  await rig.nodes.setDraining('a', true)
  await joined()
  expect(await rig.nodes.list()).toMatchObject([{ isDraining: true }])
})

test('a node whose lease is over is silent until it is declared dead', async () => {
  const epoch = (await joined())!
  expect(await rig.nodes.listSilent()).toEqual([])
  await rig.endLease('a')
  expect(await rig.nodes.listSilent()).toEqual(['a'])
  await rig.nodes.leave('a', epoch)
  expect(await rig.nodes.listSilent()).toEqual([])
})

test('a node that was forgotten never has an epoch again that it had before', async () => {
  const first = (await joined())!
  expect(await rig.nodes.forget('a')).toBe(false)
  await rig.nodes.leave('a', first)
  expect(await rig.nodes.forget('a')).toBe(true)
  expect(await rig.nodes.list()).toEqual([])
  await sql`select pg_sleep(1.1)`.execute(rig.db)
  expect(await joined()).toBeGreaterThan(first)
})

test('jobs of a node that is forgotten are any other’s, but for those that each node has', async () => {
  const epoch = (await joined())!
  const ofA = createJobStore(rig, { id: 'a', epoch })
  const job = { payload: {}, runAt: 0, isOfNode: true }
  await ofA.add({ ...job, kind: 'sweep', uniqueKey: 'recurring' }, 0)
  await ofA.add({ ...job, kind: 'report-enhancement', uniqueKey: 'p 1 0' }, 0)
  const claim = (kind: string) => createJobStore(rig, { id: 'b', epoch: 1 }).claim(kind, 10, 'owner', 1, 2, 1_000)
  await rig.nodes.forget('a')
  expect([await claim('sweep'), await claim('report-enhancement')]).toEqual([[], []])
  await rig.nodes.leave('a', epoch)
  await rig.nodes.forget('a')
  expect(await claim('report-enhancement')).toHaveLength(1)
  expect(await rig.db.selectFrom('job').select('kind').execute()).toEqual([{ kind: 'report-enhancement' }])
})

test('nobody joins a database that a newer version has upgraded', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2030-01-01')`.execute(rig.db)
  await expect(joined()).rejects.toThrow('made by a newer version of Aerie')
  expect(await rig.nodes.list()).toEqual([])
})

test('a server that is too old is refused with a sentence', async () => {
  // What the server says of itself cannot be set; the function that is asked can be shadowed.
  await sql`create schema older`.execute(rig.db)
  await sql`create function older.current_setting(text) returns text language sql as $$ select '130014' $$`.execute(
    rig.db,
  )
  await sql
    .raw(`alter database ${new URL(rig.url).pathname.slice(1)} set search_path = older, public, pg_catalog`)
    .execute(rig.db)
  const later = openDatabase(rig.url)
  await expect(createNodeStore(later.db).join(aNode('a'))).rejects.toThrow('needs PostgreSQL 14 or newer; this is 13.')
  await later.close()
})
