import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ClusterRig, createClusterRig } from '../../test/support/cluster-rig.ts'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../core/clock.ts'
import { createNodeWork } from '../core/node-work.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { createLog } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { createDraining } from './draining.ts'
import { createDrainingStore } from './draining.store.ts'
import { createNodeChoice } from './node-choice.ts'
import { createNodeChoiceStore } from './node-choice.store.ts'
import { createOwnWorkStore } from './own-work.store.ts'
import { createPlacedWork } from './placed-work.ts'

let rig: ClusterRig
let toClose: { close(): Promise<void> }[]
/** What happened, in order. */
let events: string[]
beforeEach(async () => {
  rig = await createClusterRig()
  toClose = []
  events = []
})
afterEach(async () => {
  await Promise.all(toClose.map((one) => one.close()))
  await rig.close()
})

const idsOf = (ids: TakenIds): readonly string[] => (ids === 'all' ? [] : ids)

/** A node that runs its processes by writing that it does, and looks for work every second, with everything that it needs to be drained. */
async function startNode(id: string) {
  const epoch = await rig.join(id)
  const { db } = rig.connect(id, epoch)
  const running = new Set<string>()
  const calling = new Set<string>()
  const log = createLog({ level: 'silent' })
  const work = createNodeWork([
    {
      async takeUpProcesses({ ids }) {
        for (const processId of idsOf(ids)) {
          await write(db, processId)
          events.push(`${processId} runs on ${id}`)
          running.add(processId)
        }
      },
      takeUpCameras: async ({ sourceIds }) => idsOf(sourceIds).forEach((one) => calling.add(one)),
      releaseCameras: async (sourceIds) => sourceIds.forEach((one) => calling.delete(one)),
      async leaveProcess(processId) {
        events.push(`${processId} leaves ${id}`)
        return running.delete(processId)
      },
    },
  ])
  const node = { id, epoch }
  const placedWork = createPlacedWork({
    store: createOwnWorkStore(db),
    node,
    async onPlaced({ processes, cameraIds }) {
      await work.takeUpCameras({ sourceIds: cameraIds })
      await work.takeUp({ ids: processes.map((process) => process.id) })
    },
    clock: systemClock,
    log,
  })
  const draining = createDraining({
    store: createDrainingStore(db, node),
    node,
    work,
    placedWork,
    isHere: (processId) => running.has(processId),
    choose: createNodeChoice({ store: createNodeChoiceStore(db) }),
    isWithinLease: () => true,
    onReleased: () => void rig.place(id),
    clock: systemClock,
    log,
  })
  toClose.push(draining, placedWork)
  placedWork.start()
  draining.start()
  return { ...node, running, calling }
}

const write = (db: Db, processId: string) =>
  db.updateTable('process').set({ state: 'running', error: null }).where('id', '=', processId).execute()

test('a node that is drained hands its processes over one by one, then its camera, and nothing runs twice', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')]
  const ids = [await rig.addProcess(a), await rig.addProcess(a), await rig.addProcess(a)]
  const camera = await rig.addSource(a, { path: 'admin/gate' })
  await until(async () => a.running.size === 3 && a.calling.has(camera))
  events = []
  await rig.nodes.setDraining('a', true)
  await until(async () => b.calling.has(camera))
  expect(events).toEqual(ids.flatMap((id) => [`${id} leaves a`, `${id} runs on b`]))
  expect([a.running.size, a.calling.size, [...b.running].sort()]).toEqual([0, 0, ids])
  expect(await Promise.all(ids.map((id) => rig.ownerOf('process', id)))).toEqual(['b', 'b', 'b'])
})
