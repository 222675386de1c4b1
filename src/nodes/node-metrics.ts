import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type NodeRegistry } from './node-registry.ts'
import { nodeStateOf, nodeStates } from './node-state.ts'
import { type PlacedProcessStore } from './placed-processes.store.ts'

export interface NodeMetricsDeps {
  readonly registry: Pick<NodeRegistry, 'list' | 'listSilent'>
  readonly placed: Pick<PlacedProcessStore, 'count'>
  /** Of this node; less than nothing when it is over. */
  readonly leaseLeftMs: () => number
  readonly metrics: Pick<Metrics, 'addGauge'>
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 10_000

/** The nodes for Prometheus, as they were a moment ago: figures must be there while the database is away. */
export function createNodeMetrics({ registry, placed, leaseLeftMs, metrics, clock, log }: NodeMetricsDeps) {
  const closing = new AbortController()
  let running: Promise<void> | undefined
  let known: { readonly states: readonly string[]; readonly unplaced: number } | undefined

  metrics.addGauge({
    name: 'aerie_node_lease_remaining_seconds',
    help: 'For how long this node is still taken for alive; below 0 its lease is over.',
    labels: [],
    read: () => [{ labels: {}, value: leaseLeftMs() / 1000 }],
  })
  metrics.addGauge({
    name: 'aerie_cluster_nodes',
    help: 'Nodes of this service.',
    labels: ['state'],
    read: () =>
      known
        ? nodeStates.map((state) => ({
            labels: { state },
            value: known!.states.filter((one) => one === state).length,
          }))
        : [],
  })
  metrics.addGauge({
    name: 'aerie_cluster_unplaced_processes',
    help: 'Processes that wait for a node; more than none for longer than a minute means that no node takes them.',
    labels: [],
    read: () => (known ? [{ labels: {}, value: known.unplaced }] : []),
  })

  async function run(): Promise<void> {
    let isFailing = false
    while (!closing.signal.aborted) {
      try {
        const [nodes, silent, counts] = await Promise.all([registry.list(), registry.listSilent(), placed.count()])
        known = {
          states: nodes.map((node) => nodeStateOf(node, silent)),
          unplaced: counts.get(null)?.processes ?? 0,
        }
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the nodes could not be counted; trying again')
        isFailing = true
      }
      await clock.sleep(POLL_EVERY_MS, closing.signal)
    }
  }

  return {
    start: () => void (running ??= run()),
    async close(): Promise<void> {
      closing.abort()
      await running
    },
  }
}
