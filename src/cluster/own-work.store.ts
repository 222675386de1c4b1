import { sql } from 'kysely'
import { type ClusterNode } from '../core/node.ts'
import { isLive, type ProcessState } from '../core/process-facts.ts'
import { type Db } from '../storage/database.ts'
import { unfinishedProcesses } from './unowned-work.store.ts'

/** What a node has to see to. */
export interface OwnWork {
  /** Those that go on, and those that have ended and of which something is left to be done. */
  readonly processes: readonly { readonly id: string; readonly isLive: boolean }[]
  /** Ids of the sources that it calls. */
  readonly cameraIds: readonly string[]
}

export interface OwnWorkStore {
  list(node: Pick<ClusterNode, 'id' | 'epoch'>): Promise<OwnWork>
}

export function createOwnWorkStore(db: Db): OwnWorkStore {
  return {
    // Each node asks this every second: in one statement, and by its own rows, however many the others have.
    async list({ id, epoch }) {
      const isOwn = sql`node_id = ${id} and node_epoch = ${epoch}`
      const { rows } = await sql<{ id: string; state: ProcessState | null }>`
        ${unfinishedProcesses(sql`id, state`, isOwn)}
        union all select id, null from source where ${isOwn} and is_pulled = 1
        order by id`.execute(db)
      return {
        processes: rows.flatMap((row) => (row.state === null ? [] : [{ id: row.id, isLive: isLive(row.state) }])),
        cameraIds: rows.flatMap((row) => (row.state === null ? [row.id] : [])),
      }
    },
  }
}
