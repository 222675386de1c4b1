import { AppError } from '../core/errors.ts'
import { type ClusterNode, type NodeId, type NodeLoad } from '../core/node.ts'
import { latestSchemaVersion } from '../storage/migrate.ts'

/** The nodes of a service, as all of them know each other. */
export interface NodeRegistry {
  list(): Promise<ClusterNode[]>
  /** Those whose lease is over, and that nobody has declared dead yet. */
  listSilent(): Promise<NodeId[]>
  /** False when there is no such node. */
  setDraining(id: NodeId, isDraining: boolean): Promise<boolean>
  /** False when there is no such node, or it is alive. */
  forget(id: NodeId): Promise<boolean>
}

/** What this service knows of itself, as one node. */
export interface OwnFacts {
  readonly id: NodeId
  readonly version: string
  readonly startedAt: number
  readonly load: () => NodeLoad | null
}

/** Of a service that is alone: it is its only node. */
export function createAloneRegistry({ id, version, startedAt, load }: OwnFacts): NodeRegistry {
  const own = (): ClusterNode => ({
    id,
    epoch: 0,
    isAlive: true,
    isDraining: false,
    rtspUrl: null,
    labels: [],
    load: load(),
    version,
    schemaVersion: latestSchemaVersion,
    startedAt,
  })
  return {
    list: async () => [own()],
    listSilent: async () => [],
    async setDraining(nodeId) {
      if (nodeId === id) throw new AppError('node-alone')
      return false
    },
    forget: async () => false,
  }
}
