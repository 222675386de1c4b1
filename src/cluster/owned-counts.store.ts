import { sql } from 'kysely'
import { type NodeId } from '../core/node.ts'
import { type Queryable } from '../storage/database.ts'
import { liveStateList } from './unowned-work.store.ts'

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
