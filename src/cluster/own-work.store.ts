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
    async list({ id, epoch }) {
      const processes = await sql<{ id: string; state: ProcessState }>`select id, state from process
        where node_id = ${id} and node_epoch = ${epoch} and id in (${unfinishedProcesses}) order by id`.execute(db)
      const cameras = await db
        .selectFrom('source')
        .select('id')
        .where('node_id', '=', id)
        .where('node_epoch', '=', epoch)
        .where('is_pulled', '=', 1)
        .orderBy('id')
        .execute()
      return {
        processes: processes.rows.map((row) => ({ id: row.id, isLive: isLive(row.state) })),
        cameraIds: cameras.map((row) => row.id),
      }
    },
  }
}
