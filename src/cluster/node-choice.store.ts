import { sql } from 'kysely'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Db } from '../storage/database.ts'
import { listNodes } from './node.store.ts'
import { countProcesses } from './owned-counts.store.ts'
import { whereVideoIs } from './unowned-work.store.ts'

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
