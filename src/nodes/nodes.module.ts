import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Db } from '../storage/database.ts'
import { createAloneRegistry, type NodeRegistry, type OwnFacts } from './node-registry.ts'
import { createNodeMetrics } from './node-metrics.ts'
import { nodeRoutes } from './nodes.routes.ts'
import { createNodeService } from './nodes.service.ts'
import { createPlacedProcessStore } from './placed-processes.store.ts'

export interface NodesDeps {
  /** Null for a service that is alone. */
  readonly cluster: {
    readonly registry: NodeRegistry
    /** Of this node's lease. */
    readonly leaseLeftMs: () => number
  } | null
  readonly own: Omit<OwnFacts, 'startedAt'>
  /** Paths that are live here. */
  readonly countStreams: () => number
  readonly db: Db
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

/** The machines of a service, as those who run it see them and take them out. */
export function createNodes({ cluster, own, countStreams, db, metrics, clock, log }: NodesDeps) {
  const registry = cluster?.registry ?? createAloneRegistry({ ...own, startedAt: clock.now() })
  const placed = createPlacedProcessStore(db)
  const watch = cluster && createNodeMetrics({ ...cluster, placed, metrics, clock, log })
  const service = createNodeService({ registry, placed, ownId: own.id, isAlone: cluster === null, countStreams })
  return {
    routes: [nodeRoutes(service)],
    start: async () => watch?.start(),
    stop: async () => watch?.close(),
  }
}
