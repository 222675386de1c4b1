import { type NodeId } from '../core/node.ts'
import { isLive } from '../core/process-facts.ts'
import { type Db } from '../storage/database.ts'

/** Where a process is, as it is written. */
export interface WrittenPlace {
  readonly isLive: boolean
  readonly nodeId: NodeId | null
  /** That node is alive; and, of a process that goes on, it was given to it as it is now. */
  readonly isThere: boolean
}

export interface ProcessPlaceStore {
  /** Undefined of one that nobody knows. */
  find(processId: string): Promise<WrittenPlace | undefined>
}

export function createProcessPlaceStore(db: Db): ProcessPlaceStore {
  return {
    async find(processId) {
      const row = await db
        .selectFrom('process')
        .leftJoin('node', (join) => join.onRef('node.id', '=', 'process.node_id').on('node.is_alive', '=', 1))
        .select(['process.state', 'process.node_id', 'process.node_epoch', 'node.epoch'])
        .where('process.id', '=', processId)
        .executeTakeFirst()
      if (!row) return undefined
      const goesOn = isLive(row.state)
      // Of one that has ended, files may be left there from before it joined anew.
      const isThere = row.epoch !== null && (!goesOn || row.epoch === row.node_epoch)
      return { isLive: goesOn, nodeId: row.node_id, isThere }
    },
  }
}
