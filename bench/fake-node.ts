import { joinCluster } from '../src/cluster/membership.ts'
import { createNodeDirectory } from '../src/cluster/node-directory.ts'
import { createNodeStore } from '../src/cluster/node.store.ts'
import { createOwnWorkStore } from '../src/cluster/own-work.store.ts'
import { createPlacedWork } from '../src/cluster/placed-work.ts'
import { createPlacementStore } from '../src/cluster/placement.store.ts'
import { createPlacer } from '../src/cluster/placer.ts'
import { systemClock as clock } from '../src/core/clock.ts'
import { NodeExpelled } from '../src/core/node.ts'
import { createLog } from '../src/observe/log.ts'
import { openDatabase } from '../src/storage/database.ts'
import { aLoad, aNode } from '../test/support/fake-nodes.ts'

/** A node of the service as the others and the database see it, that runs nothing. */
export interface FakeNode {
  readonly id: string
  /** How long each renewal of its lease took. */
  readonly renewals: readonly number[]
  wakePlacer(): void
  wakeWork(): void
  /** It is not heard of any more, and has no connection. */
  die(): Promise<void>
  close(): Promise<void>
}

const log = createLog({ level: 'silent' })
/** For the rest there is one connection in real nodes too, as long as they have nothing to do. */
const CONNECTIONS = 2

/** `taken` gets when a process was taken up. Messages between the nodes are calls here. */
export async function startFakeNode(
  id: string,
  url: string,
  leaseMs: number,
  all: readonly FakeNode[],
  taken: Map<string, number>,
): Promise<FakeNode> {
  const own = openDatabase(url, log, { maxConnections: 1 })
  const store = createNodeStore(own.db)
  const renewals: number[] = []
  const membership = await joinCluster({
    store: {
      ...store,
      async renew(renewal) {
        const startedAt = performance.now()
        const renewed = await store.renew(renewal)
        renewals.push(performance.now() - startedAt)
        return renewed
      },
    },
    node: aNode(id, { leaseMs }),
    load: () => aLoad(100),
    rtspUrl: () => null,
    clock,
    log,
  })
  const { epoch } = membership
  const admission = { nodeId: id, epoch, onExpelled: (error: NodeExpelled) => membership.expel(error) }
  const database = openDatabase(url, log, { admission, maxConnections: CONNECTIONS })
  const work = createPlacedWork({
    store: createOwnWorkStore(database.db),
    node: { id, epoch },
    onPlaced: async ({ processes }) => {
      for (const process of processes) taken.set(process.id, performance.now())
    },
    clock,
    log,
  })
  const placer = createPlacer({
    store: createPlacementStore(database.db),
    membership,
    onPlaced: (nodeIds) => all.filter((node) => nodeIds.includes(node.id)).forEach((node) => node.wakeWork()),
    clock,
    log,
  })
  const directory = createNodeDirectory({ store: createNodeStore(database.db), clock, log })
  directory.onGone(() => placer.wake())
  await directory.start()
  work.start()
  placer.start()
  let isOver = false

  async function end(): Promise<void> {
    await Promise.all([placer.close(), work.close(), directory.close()])
    await database.close()
    await own.close()
  }

  return {
    id,
    renewals,
    wakePlacer: () => placer.wake(),
    wakeWork: () => work.wake(),
    async die() {
      isOver = true
      membership.expel(new NodeExpelled(id))
      await end()
    },
    async close() {
      if (isOver) return
      await Promise.all([placer.close(), work.close(), directory.close()])
      await database.close()
      await membership.leave()
      await own.close()
    },
  }
}
