import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClusterRig, type ClusterRig } from '../../test/support/cluster-rig.ts'
import { NodeExpelled } from '../core/node.ts'
import { createDrainingStore, type DrainingStore } from './draining.store.ts'

let rig: ClusterRig
let a: { readonly id: string; readonly epoch: number }
let store: DrainingStore
beforeEach(async () => {
  rig = await createClusterRig()
  a = { id: 'a', epoch: await rig.join('a') }
  await rig.join('b')
  store = createDrainingStore(rig.connect('a', a.epoch).db, a)
})
afterEach(() => rig.close())

const other = { id: 'b', epoch: 1 }
const rowOf = (id: string) => rig.db.selectFrom('process').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const set = (id: string, change: Partial<Awaited<ReturnType<typeof rowOf>>>) =>
  rig.db.updateTable('process').set(change).where('id', '=', id).execute()

test('it is draining when its row says so', async () => {
  expect(await store.isDraining()).toBe(false)
  await rig.nodes.setDraining('a', true)
  expect(await store.isDraining()).toBe(true)
  await rig.nodes.setDraining('a', false)
  expect(await store.isDraining()).toBe(false)
})

test('its own live processes can move, but for those of files and those that are being stopped', async () => {
  const running = await rig.addProcess(a, { state: 'running', sourceId: 's', labels: ['gpu'] })
  const waiting = await rig.addProcess(a, { state: 'waiting', sourceId: 't' })
  await rig.addProcess(a, { state: 'running', sourceType: 'file' })
  await rig.addProcess(a, { state: 'stopping' })
  await rig.addProcess(a, { state: 'stopped', stoppedAt: 1 })
  await rig.addProcess({ ...a, epoch: a.epoch - 1 })
  await rig.addProcess(other)
  expect(await store.listProcesses()).toEqual([
    { id: running, sourceId: 's', labels: ['gpu'], isRunning: true },
    { id: waiting, sourceId: 't', labels: [], isRunning: false },
  ])
})

test('a process that is given away is placed elsewhere, as it was, and seen to run when that node says so', async () => {
  const id = await rig.addProcess(a, { state: 'running' })
  await rig.nodes.setDraining('a', true)
  await store.releaseProcess(id)
  expect(await rowOf(id)).toMatchObject({ node_id: null, state: 'running' })
  expect(await store.findProcess(id)).toEqual({ nodeId: null, isRunning: false })
  await rig.place('b')
  expect(await store.findProcess(id)).toEqual({ nodeId: 'b', isRunning: false })
  await set(id, { state: 'reconnecting', error: 'The source is being opened.' })
  expect(await store.findProcess(id)).toEqual({ nodeId: 'b', isRunning: false })
  await set(id, { state: 'running', error: null })
  expect(await store.findProcess(id)).toEqual({ nodeId: 'b', isRunning: true })
  // Said twice, as after a connection that was lost, it takes nothing from anybody.
  await store.releaseProcess(id)
  expect(await store.findProcess(id)).toEqual({ nodeId: 'b', isRunning: true })
  await set(id, { state: 'stopped' })
  expect(await store.findProcess(id)).toBeUndefined()
})

test('a camera is idle when no process of this node reads it; those of one address go together', async () => {
  const [read, same] = [await rig.addSource(a, { path: 'admin/read' }), await rig.addSource(a, { path: 'admin/read' })]
  const [one, twin] = [await rig.addSource(a, { path: 'admin/gate' }), await rig.addSource(a, { path: 'admin/gate' })]
  const unplaced = await rig.addSource(a)
  await rig.addSource(a, { isPulled: false, path: 'admin/published' })
  await rig.addSource(other, { path: 'admin/elsewhere' })
  const processId = await rig.addProcess(a, { sourceId: same, state: 'running' })
  await rig.addProcess(a, { sourceId: one, state: 'stopped', stoppedAt: 1 })
  expect(await store.listIdleCameras()).toEqual([[one, twin], [unplaced]])
  await store.releaseProcess(processId)
  expect(await store.listIdleCameras()).toEqual([[read, same], [one, twin], [unplaced]])
  await rig.nodes.setDraining('a', true)
  await store.releaseCameras([one, twin])
  expect(await store.findCamera(one)).toEqual({ nodeId: null, isRunning: false })
  await rig.place('b')
  expect(await store.findCamera(one)).toEqual({ nodeId: 'b', isRunning: false })
  expect(await store.findCamera('removed')).toBeUndefined()
})

test('whoever was expelled gives nothing away', async () => {
  const id = await rig.addProcess(a, { state: 'running' })
  await rig.nodes.leave('a', a.epoch)
  const late = createDrainingStore(rig.connect('a', a.epoch).db, a)
  await expect(late.releaseProcess(id)).rejects.toThrow(NodeExpelled)
  expect((await rowOf(id)).node_id).toBe('a')
})
