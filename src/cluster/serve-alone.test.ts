import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aClipRow, aDetectionFileRow } from '../../test/builders/recorded-rows.ts'
import { createClusterRig } from '../../test/support/cluster-rig.ts'
import { createMigratedDatabase } from '../../test/support/databases.ts'
import { createDatabaseBefore } from '../../test/support/older-database.ts'
import { leaseNow } from '../storage/lease-clock.ts'
import { latestSchemaVersion, schemaVersionOf } from '../storage/migrate.ts'
import { createStoredFileStore } from '../storage/object-store/stored-files.store.ts'
import { serveAlone } from './serve-alone.store.ts'

test('what nodes had is that of a service of one node, once none of them runs', async () => {
  const rig = await createClusterRig()
  const a = { id: 'a', epoch: await rig.join('a') }
  await rig.addProcess(a)
  await rig.addSource(a)
  await rig.setLive('admin/a', a)
  await rig.db
    .insertInto('detection_file')
    .values(aDetectionFileRow({ node_id: 'a' }))
    .execute()
  await rig.db
    .insertInto('clip')
    .values(aClipRow({ account_id: rig.account.id, node_id: 'a' }))
    .execute()
  const aFile = { file: 'videos/a/1.mp4', kind: 'videos', accountId: rig.account.id, sizeBytes: 10 }
  await createStoredFileStore(rig.db, 'a').insert([aFile], 0)
  await expect(serveAlone(rig)).rejects.toThrow(
    /of a service of several nodes, which runs: a\. Set AERIE_NATS_URL .* or stop them first/,
  )
  await rig.endLease('a')
  await serveAlone(rig)
  const owners = (table: 'process' | 'source') => rig.db.selectFrom(table).select(['node_id', 'node_epoch']).execute()
  expect([...(await owners('process')), ...(await owners('source'))]).toEqual([
    { node_id: null, node_epoch: null },
    { node_id: null, node_epoch: null },
  ])
  for (const table of ['detection_file', 'clip'] as const)
    expect(await rig.db.selectFrom(table).select('node_id').execute()).toEqual([{ node_id: null }])
  expect(await createStoredFileStore(rig.db).listWaiting(0, 10)).toMatchObject([{ ...aFile, nodeId: null }])
  expect(await rig.db.selectFrom('live_path').selectAll().execute()).toEqual([])
  expect(await rig.nodes.list()).toMatchObject([{ isAlive: false, epoch: a.epoch + 1 }])
  await rig.close()
})

test('on SQLite there is nothing to be asked', async () => {
  const database = await createMigratedDatabase('sqlite')
  await serveAlone(database)
  await database.remove()
})

test('under nodes that run no tables are changed: those of an older version do not know newer ones', async () => {
  const database = await createDatabaseBefore('0028-object-store', 'postgres')
  await sql`insert into node (id, epoch, is_alive, lease_until, instance, labels, version, schema_version, started_at)
    values ('a', 1, 1, ${leaseNow} + 60000, 'i', '[]', '1', '0027-nodes', 1)`.execute(database.db)
  await expect(serveAlone(database)).rejects.toThrow('which runs: a.')
  expect(await schemaVersionOf(database.db)).toBe('0027-nodes')
  await sql`update node set lease_until = 1`.execute(database.db)
  await serveAlone(database)
  expect(await schemaVersionOf(database.db)).toBe(latestSchemaVersion)
  await database.remove()
})
