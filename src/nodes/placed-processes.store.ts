import { sql } from 'kysely'
import { type NodeId } from '../core/node.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { liveStates, type ProcessState } from '../core/process-facts.ts'
import { type Db } from '../storage/database.ts'
import { listPage } from '../storage/queries.ts'

/** How much a node has to do. */
export interface NodeWorkCount {
  /** Those that go on. */
  readonly processes: number
  /** Of these, those of video files, which end where they began. */
  readonly files: number
  readonly cameras: number
  /** Paths that are live there. */
  readonly streams: number
}

export interface PlacedProcess {
  readonly id: string
  readonly username: string
  /** Null when its source was removed. */
  readonly sourceAlias: string | null
  readonly sourceType: 'file' | 'stream'
  readonly state: ProcessState
  readonly createdAt: number
}

export interface PlacedProcessStore {
  /** By node; null is what has none: all of it in a service that is alone, else what waits for one. */
  count(): Promise<ReadonlyMap<NodeId | null, NodeWorkCount>>
  /** Of a master and its children: those that go on, and that this node has; of one that is gone, those that nobody has taken over yet. */
  list(nodeId: NodeId | null, masterId: string, page: PageRequest): Promise<Page<PlacedProcess>>
}

export const NO_WORK: NodeWorkCount = { processes: 0, files: 0, cameras: 0, streams: 0 }

interface CountRow {
  readonly id: NodeId | null
  readonly count: number
  readonly files: number
}

export function createPlacedProcessStore(db: Db): PlacedProcessStore {
  const live = sql.join(liveStates)
  const withNode = sql`left join node on node.id = owned.node_id and node.epoch = owned.node_epoch and node.is_alive = 1`

  return {
    async count() {
      const [processes, cameras, streams] = await Promise.all([
        sql<CountRow>`select node.id, count(*) as count, sum(case when owned.source_type = 'file' then 1 else 0 end) as files
          from process owned ${withNode} where owned.state in (${live}) group by node.id`.execute(db),
        sql<CountRow>`select node.id, count(*) as count, 0 as files
          from source owned ${withNode} where owned.is_pulled = 1 group by node.id`.execute(db),
        sql<CountRow>`select node.id, count(*) as count, 0 as files
          from live_path owned ${withNode} group by node.id`.execute(db),
      ])
      const counts = new Map<NodeId | null, NodeWorkCount>()
      const add = (id: NodeId | null, change: Partial<NodeWorkCount>) =>
        counts.set(id, { ...NO_WORK, ...counts.get(id), ...change })
      for (const { id, count, files } of processes.rows) add(id, { processes: count, files })
      for (const { id, count } of cameras.rows) add(id, { cameras: count })
      for (const { id, count } of streams.rows) add(id, { streams: count })
      return counts
    },

    list(nodeId, masterId, page) {
      const query = db
        .selectFrom('process')
        .innerJoin('account', 'account.id', 'process.account_id')
        .leftJoin('source', 'source.id', 'process.source_id')
        .select(['process.id', 'process.source_type', 'process.state', 'process.created_at'])
        .select(['account.username', 'source.alias'])
        .where('process.state', 'in', liveStates)
        .where('process.node_id', nodeId === null ? 'is' : '=', nodeId)
        .where((eb) => eb.or([eb('account.id', '=', masterId), eb('account.master_id', '=', masterId)]))
      return listPage(
        query,
        page,
        (row): PlacedProcess => ({
          id: row.id,
          username: row.username,
          sourceAlias: row.alias,
          sourceType: row.source_type,
          state: row.state,
          createdAt: row.created_at,
        }),
        'process.id',
      )
    },
  }
}
