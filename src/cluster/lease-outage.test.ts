import { expect, test } from 'vitest'
import { aLoad, aNode } from '../../test/support/cluster-rig.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { startTcpRelay } from '../../test/support/tcp-relay.ts'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { openDatabase } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { joinCluster, type Membership } from './membership.ts'
import { createNodeStore } from './node.store.ts'
import { createPlacementStore } from './placement.store.ts'
import { createPlacementPass } from './placement-pass.ts'
import { createPlacer } from './placer.ts'

const LEASE = 4_000
/** For a busy machine, where renewals come late, and leases are not steady for a while. */
const PATIENCE_MS = 120_000
const log = createLog({ level: 'silent' })

async function startNode(url: string, id: string, leaseUrl = url) {
  const database = openDatabase(leaseUrl)
  const membership = await joinCluster({
    store: createNodeStore(database.db),
    node: aNode(id, { leaseMs: LEASE }),
    load: () => aLoad(5),
    rtspUrl: () => null,
    clock: systemClock,
    log,
  })
  const expelled: string[] = []
  const admission = { nodeId: id, epoch: membership.epoch, onExpelled: () => void expelled.push(id) }
  const own = openDatabase(url, undefined, { admission })
  const deps = { store: createPlacementStore(own.db), membership, onPlaced: () => {}, log }
  const placer = createPlacer({ ...deps, clock: systemClock })
  placer.start()
  void membership.expelled.then(() => expelled.push(id))
  return {
    membership,
    expelled,
    pass: createPlacementPass(deps),
    list: () => createNodeStore(own.db).list(),
    async close() {
      await placer.close()
      await own.close()
      await membership.leave()
      await database.close()
    },
  }
}

const isOver = ({ membership }: { membership: Membership }) => !membership.isWithinLease()
const isSteady = ({ membership }: { membership: Membership }) => membership.steadyDatabaseMs() !== undefined

test(
  'a database that stands still for longer than a lease, or is gone, costs nobody anything',
  async () => {
    const postgres = await startPostgres()
    const first = openDatabase(postgres.url)
    await migrate(first.db)
    await first.close()
    const viaRelay = new URL(postgres.url)
    const relay = await startTcpRelay(Number(viaRelay.port))
    viaRelay.port = String(relay.port)
    const prompt = [await startNode(postgres.url, 'a'), await startNode(postgres.url, 'b')]
    const late = await startNode(postgres.url, 'c', viaRelay.href)
    const nodes = [...prompt, late]
    const epochs = nodes.map(({ membership }) => membership.epoch)

    for (const outage of ['stands still', 'is gone'] as const) {
      await until(async () => nodes.every(isSteady), PATIENCE_MS)
      // One of them comes back later than the others, which look after it meanwhile.
      await relay.cut()
      if (outage === 'is gone') await postgres.kill()
      else postgres.signal('SIGSTOP')
      const beganAt = performance.now()
      await until(async () => nodes.every(isOver) && performance.now() - beganAt > LEASE)
      if (outage === 'is gone') await postgres.start()
      else postgres.signal('SIGCONT')
      await until(async () => !prompt.some(isOver))
      for (const { pass } of prompt) await pass()
      expect(isOver(late)).toBe(true)
      await relay.mend()
      await until(async () => nodes.every(isSteady), PATIENCE_MS)
      const known = await nodes[0]!.list()
      expect(known.map(({ id, epoch, isAlive }) => ({ id, epoch, isAlive }))).toEqual(
        nodes.map(({ membership: { id } }, n) => ({ id, epoch: epochs[n], isAlive: true })),
      )
      expect(nodes.flatMap(({ expelled }) => expelled)).toEqual([])
    }
    for (const node of nodes) await node.close()
    await relay.close()
    await postgres.remove()
  },
  5 * PATIENCE_MS,
)
