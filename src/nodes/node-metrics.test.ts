import { afterEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type ClusterNode } from '../core/node.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createNodeMetrics } from './node-metrics.ts'
import { NO_WORK } from './placed-processes.store.ts'

let close: (() => Promise<void>) | undefined
afterEach(() => close?.())

const node = (id: string, isAlive = true, isDraining = false) => ({ id, isAlive, isDraining }) as ClusterNode

test('nodes are counted by state, and the figures stay while the database is away', async () => {
  const metrics = createMetrics()
  const clock = createFakeClock()
  const lines: string[] = []
  let isAway = true
  let unplaced = 3
  const watch = createNodeMetrics({
    registry: {
      async list() {
        if (isAway) throw new Error('away')
        return [node('a'), node('b'), node('c', true, true), node('d', false), node('e')]
      },
      listSilent: async () => ['e'],
    },
    placed: { count: async () => new Map([[null, { ...NO_WORK, processes: unplaced }]]) },
    leaseLeftMs: () => 12_500,
    metrics,
    clock,
    log: createLog({ level: 'warn', write: (line) => lines.push(line) }),
  })
  close = () => watch.close()
  const read = async () => (await metrics.text()).split('\n').filter((line) => /^aerie_(node|cluster)_/.test(line))
  const slept = clock.nextSleep()
  watch.start()
  await slept
  expect(await read()).toEqual(['aerie_node_lease_remaining_seconds 12.5', 'aerie_cluster_unplaced_processes 0'])
  isAway = false
  const again = clock.nextSleep()
  await clock.advance(10_000)
  await again
  const figures = [
    'aerie_node_lease_remaining_seconds 12.5',
    'aerie_cluster_nodes{state="alive"} 2',
    'aerie_cluster_nodes{state="draining"} 1',
    'aerie_cluster_nodes{state="silent"} 1',
    'aerie_cluster_nodes{state="dead"} 1',
    'aerie_cluster_unplaced_processes 3',
  ]
  expect(await read()).toEqual(figures)
  isAway = true
  unplaced = 0
  for (let n = 0; n < 3; n++) await clock.advance(10_000)
  expect(await read()).toEqual(figures)
  expect(lines).toHaveLength(2)
})
