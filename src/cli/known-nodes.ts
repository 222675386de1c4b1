import { createNodeStore, type NodeStore } from '../cluster/node.store.ts'
import { AppError } from '../core/errors.ts'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type NodeState, nodeStateOf } from '../nodes/node-state.ts'
import { nodeNotFound } from '../nodes/nodes.service.ts'
import { createPlacedProcessStore, NO_WORK, type NodeWorkCount } from '../nodes/placed-processes.store.ts'
import { type Db } from '../storage/database.ts'

/** A node as the database knows it. */
export interface KnownNode extends ClusterNode {
  readonly state: NodeState
  readonly work: NodeWorkCount
}

export interface KnownNodes extends Pick<NodeStore, 'setDraining' | 'forget'> {
  list(): Promise<KnownNode[]>
  /** What waits for a node. */
  countUnplaced(): Promise<NodeWorkCount>
  /** Throws with the names that there are. */
  find(id: NodeId): Promise<KnownNode>
}

export function createKnownNodes(db: Db): KnownNodes {
  const store = createNodeStore(db)
  const placed = createPlacedProcessStore(db)

  async function list(): Promise<KnownNode[]> {
    const nodes = await store.list()
    // On SQLite there are none, nor the clock by which leases are judged.
    if (nodes.length === 0) return []
    const [silent, counts] = await Promise.all([store.listSilent(), placed.count()])
    return nodes.map((node) => ({
      ...node,
      state: nodeStateOf(node, silent),
      work: counts.get(node.id) ?? NO_WORK,
    }))
  }

  return {
    setDraining: (id, isDraining) => store.setDraining(id, isDraining),
    forget: (id) => store.forget(id),
    list,
    countUnplaced: async () => (await placed.count()).get(null) ?? NO_WORK,
    async find(id) {
      const nodes = await list()
      const found = nodes.find((node) => node.id === id)
      if (found) return found
      if (nodes.length === 0) throw new AppError('node-alone')
      throw nodeNotFound(
        id,
        nodes.map((node) => node.id),
      )
    },
  }
}
