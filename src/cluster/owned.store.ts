import { sql } from 'kysely'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { listNodes } from './node.store.ts'
import { liveStateList, whereVideoIs } from './unowned-work.store.ts'

const ofNode = sql`join node on node.id = owned.node_id and node.epoch = owned.node_epoch and node.is_alive = 1`

interface Count {
  readonly id: NodeId
  readonly count: number
}

/** How many live processes each node has; those without any are left out. */
export async function countProcesses(db: Queryable): Promise<ReadonlyMap<NodeId, number>> {
  const { rows } = await sql<Count>`select node.id, count(*) as count from process owned ${ofNode}
    where owned.state in (${liveStateList}) group by node.id`.execute(db)
  return toMap(rows)
}

/** How many cameras each node calls. */
export async function countCameras(db: Queryable): Promise<ReadonlyMap<NodeId, number>> {
  const { rows } = await sql<Count>`select node.id, count(*) as count from source owned ${ofNode}
    where owned.is_pulled = 1 group by node.id`.execute(db)
  return toMap(rows)
}

function toMap(rows: readonly Count[]): ReadonlyMap<NodeId, number> {
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** What is to be known to choose a node for a process. */
export interface NodeChoiceStore {
  listNodes(): Promise<ClusterNode[]>
  countProcesses(): Promise<ReadonlyMap<NodeId, number>>
  /** Where the video of a source is best, the best first. */
  preferredFor(sourceId: string): Promise<readonly NodeId[]>
}

export function createNodeChoiceStore(db: Db): NodeChoiceStore {
  return {
    listNodes: () => listNodes(db),
    countProcesses: () => countProcesses(db),
    async preferredFor(sourceId) {
      const { rows } = await sql<{ live_on: NodeId | null; source_on: NodeId | null }>`
        select on_path.id as live_on, on_source.id as source_on from source ${whereVideoIs}
        where source.id = ${sourceId}`.execute(db)
      return rows.flatMap((row) => [row.live_on, row.source_on].filter((id) => id !== null))
    },
  }
}
