import { type Expression, sql } from 'kysely'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { leaseNow } from '../storage/lease-clock.ts'
import { tryLockForPlacing } from './advisory-locks.store.ts'
import { type Assignment } from './assign-work.ts'
import { listNodes } from './node.store.ts'
import { endConnections, listConnections, type NodeConnection, nodeConnections } from './node-connections.store.ts'
import { countCameras, countProcesses } from './owned-counts.store.ts'
import {
  hasNoNode,
  isUnownedCamera,
  listUnownedCameras,
  listUnownedProcesses,
  type UnownedCamera,
  type UnownedProcess,
  unownedProcessIds,
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

/** What can be seen without keeping others from placing, in one statement. */
export interface Glance {
  readonly nodes: readonly Pick<ClusterNode, 'id' | 'epoch' | 'isAlive'>[]
  /** Names of connections, of nodes of whichever epoch. */
  readonly connectionNames: readonly string[]
  /** A lease is over that nobody has declared so, or something has no node that is alive. */
  readonly hasUnowned: boolean
}

export interface PlacementStore {
  glance(): Promise<Glance>
  /** In one transaction, while nobody else is in one; undefined when somebody is. */
  exclusively<T>(run: (round: PlacementRound) => Promise<T>): Promise<T | undefined>
  /** Waits for each for a second; what takes longer is found again. */
  endConnections(connections: readonly NodeConnection[]): Promise<void>
}

/** No lease is as long: one that seems so was written before the database's clock was set back. */
const MAX_LEASE_MS = 600_000

export function createPlacementStore(db: Db): PlacementStore {
  return {
    glance: () => glanceAt(db),

    exclusively: (run) =>
      db
        .transaction()
        // Each statement sees what was committed before it.
        .setIsolationLevel('read committed')
        .execute(async (tx) => ((await tryLockForPlacing(tx)) ? run(roundIn(tx)) : undefined)),

    endConnections: (connections) => endConnections(db, connections),
  }
}

const isOverdue = (now: Expression<unknown>) =>
  sql`(lease_until < ${now} or lease_until > ${leaseNow} + ${MAX_LEASE_MS})`

function roundIn(tx: Queryable): PlacementRound {
  return {
    async declareOverdue(self, beforeMs) {
      const { rows } = await sql<{ id: NodeId }>`update node set epoch = epoch + 1, is_alive = 0
        where is_alive = 1 and id <> ${self}
          and ${isOverdue(sql`least(${leaseNow}, ${Math.floor(beforeMs)}::bigint)`)}
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
      await sql`delete from live_path where ${hasNoNode('live_path')}`.execute(tx)
    },
  }
}

async function glanceAt(db: Queryable): Promise<Glance> {
  const { rows } = await sql<{
    readonly nodes: readonly { readonly id: NodeId; readonly epoch: number; readonly is_alive: number }[]
    readonly names: readonly string[]
    readonly unowned: boolean
  }>`select
    (select coalesce(json_agg(json_build_object('id', id, 'epoch', epoch, 'is_alive', is_alive)), '[]') from node) as nodes,
    (select coalesce(json_agg(distinct application_name), '[]') from (${nodeConnections}) connection) as names,
    exists (select 1 from node where is_alive = 1 and ${isOverdue(leaseNow)})
      or exists (${unownedProcessIds})
      or exists (select 1 from source where ${isUnownedCamera})
      or exists (select 1 from live_path where ${hasNoNode('live_path')}) as unowned`.execute(db)
  const { nodes, names, unowned } = rows[0]!
  return {
    nodes: nodes.map(({ id, epoch, is_alive: isAlive }) => ({ id, epoch, isAlive: isAlive === 1 })),
    connectionNames: names,
    hasUnowned: unowned,
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
