import { sql } from 'kysely'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { leaseNow } from '../storage/lease-clock.ts'
import { tryLockForPlacing } from './advisory-locks.store.ts'
import { type Assignment } from './assign-work.ts'
import { listNodes } from './node.store.ts'
import { endConnections, listConnections, type NodeConnection } from './node-connections.store.ts'
import { countCameras, countProcesses } from './owned-counts.store.ts'
import {
  listUnownedCameras,
  listUnownedProcesses,
  type UnownedCamera,
  type UnownedProcess,
} from './unowned-work.store.ts'

/** What one placer does while no other does. */
export interface PlacementRound {
  /** Raises the epochs of all but `self` whose lease ended before this time of the database; answers which. */
  declareOverdue(self: NodeId, beforeMs: number): Promise<NodeId[]>
  listNodes(): Promise<ClusterNode[]>
  /** How many live processes each has; those without any are left out. */
  countProcesses(): Promise<ReadonlyMap<NodeId, number>>
  /** How many cameras each calls. */
  countCameras(): Promise<ReadonlyMap<NodeId, number>>
  /** As they were when this was first asked in this round. */
  listConnections(): Promise<NodeConnection[]>
  listUnownedProcesses(): Promise<UnownedProcess[]>
  listUnownedCameras(): Promise<UnownedCamera[]>
  assignProcesses(assignments: readonly Assignment[]): Promise<void>
  assignCameras(assignments: readonly Assignment[]): Promise<void>
  /** Nothing is live any more on a node that is gone. */
  removeDeadPaths(): Promise<void>
}

export interface PlacementStore {
  /** In one transaction, while nobody else is in one; undefined when somebody is. */
  exclusively<T>(run: (round: PlacementRound) => Promise<T>): Promise<T | undefined>
  /** Waits for each for a second; what takes longer is found again. */
  endConnections(connections: readonly NodeConnection[]): Promise<void>
}

/** No lease is as long: one that seems so was written before the database's clock was set back. */
const MAX_LEASE_MS = 600_000

export function createPlacementStore(db: Db): PlacementStore {
  return {
    exclusively: (run) =>
      db
        .transaction()
        // Each statement sees what was committed before it.
        .setIsolationLevel('read committed')
        .execute(async (tx) => ((await tryLockForPlacing(tx)) ? run(roundIn(tx)) : undefined)),

    endConnections: (connections) => endConnections(db, connections),
  }
}

function roundIn(tx: Queryable): PlacementRound {
  return {
    async declareOverdue(self, beforeMs) {
      const { rows } = await sql<{ id: NodeId }>`update node set epoch = epoch + 1, is_alive = 0
        where is_alive = 1 and id <> ${self}
          and (lease_until < least(${leaseNow}, ${Math.floor(beforeMs)}::bigint) or lease_until > ${leaseNow} + ${MAX_LEASE_MS})
        returning id`.execute(tx)
      return rows.map(({ id }) => id)
    },
    listNodes: () => listNodes(tx),
    countProcesses: () => countProcesses(tx),
    countCameras: () => countCameras(tx),
    listConnections: () => listConnections(tx),
    listUnownedProcesses: () => listUnownedProcesses(tx),
    listUnownedCameras: () => listUnownedCameras(tx),
    assignProcesses: (assignments) => assign(tx, 'process', assignments),
    assignCameras: (assignments) => assign(tx, 'source', assignments),
    async removeDeadPaths() {
      await sql`delete from live_path where not exists (select 1 from node
        where node.id = live_path.node_id and node.epoch = live_path.node_epoch and node.is_alive = 1)`.execute(tx)
    },
  }
}

type Owned = 'process' | 'source'

async function assign(tx: Queryable, table: Owned, assignments: readonly Assignment[]): Promise<void> {
  if (assignments.length === 0) return
  const ids = assignments.map(({ id }) => id)
  const nodeIds = assignments.map(({ nodeId }) => nodeId)
  const epochs = assignments.map(({ epoch }) => epoch)
  await sql`update ${sql.table(table)} set node_id = given.node_id, node_epoch = given.node_epoch
    from unnest(${ids}::text[], ${nodeIds}::text[], ${epochs}::bigint[]) as given(id, node_id, node_epoch)
    where ${sql.ref(`${table}.id`)} = given.id`.execute(tx)
}
