import { afterEach, beforeEach, expect, test } from 'vitest'
import { aClipRow, aDetectionFileRow } from '../../test/builders/recorded-rows.ts'
import { type ClusterRig, createClusterRig } from '../../test/support/cluster-rig.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { createStoredFileStore } from '../storage/object-store/stored-files.store.ts'
import { createRecordingStore } from '../recordings/recordings.store.ts'
import { adoptFiles } from './adopt-files.store.ts'

let rig: ClusterRig
beforeEach(async () => void (rig = await createClusterRig()))
afterEach(() => rig.close())

const nodesOf = async (table: 'source' | 'process' | 'recording' | 'detection_file' | 'clip' | 'stored_file') =>
  (await rig.db.selectFrom(table).select('node_id').execute()).map((row) => row.node_id)

test('the files of a service of one node are those of the node that it becomes', async () => {
  await rig.addSource(null, { type: 'file', isPulled: false })
  await rig.addProcess(null, { state: 'finished' })
  const recording = { id: 'r', accountId: rig.account.id, sourceId: 's', alias: 's', startedAt: 1, endedAt: 2 }
  await createRecordingStore(rig.db).insert(recording)
  await rig.db.insertInto('detection_file').values(aDetectionFileRow()).execute()
  await rig.db
    .insertInto('clip')
    .values(aClipRow({ account_id: rig.account.id }))
    .execute()
  const file = { file: 'videos/a/1.mp4', kind: 'videos', accountId: rig.account.id, sizeBytes: 10 }
  await createStoredFileStore(rig.db).insert([file], 0)
  const a = { id: 'a', epoch: await rig.join('a') }
  await adoptFiles(rig.db, a)
  for (const table of ['source', 'process', 'recording', 'detection_file', 'clip', 'stored_file'] as const)
    expect(await nodesOf(table)).toEqual(['a'])
  expect(await createStoredFileStore(rig.db, 'a').listWaiting(0, 10)).toHaveLength(1)
})

test('what goes on waits for a place, and what other nodes have stays theirs', async () => {
  const a = { id: 'a', epoch: await rig.join('a') }
  const b = { id: 'b', epoch: await rig.join('b') }
  await rig.addSource(null)
  await rig.addSource(b, { type: 'file', isPulled: false })
  await rig.addProcess(null, { state: 'running' })
  await rig.addProcess(b, { state: 'finished' })
  await adoptFiles(rig.db, a)
  expect((await nodesOf('source')).sort()).toEqual(['b', null])
  expect((await nodesOf('process')).sort()).toEqual(['b', null])
})

test('what the service did again and again, each node does for itself', async () => {
  const job = { payload: {}, runAt: 0 }
  await createJobStore(rig).add({ ...job, kind: 'sweep', uniqueKey: 'recurring' }, 0)
  await createJobStore(rig).add({ ...job, kind: 'removal' }, 0)
  await adoptFiles(rig.db, { id: 'a', epoch: await rig.join('a') })
  expect(await rig.db.selectFrom('job').select('kind').execute()).toEqual([{ kind: 'removal' }])
})
