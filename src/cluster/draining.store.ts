import { sql } from 'kysely'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type ProcessState } from '../core/process-facts.ts'
import { type Db } from '../storage/database.ts'
import { liveStateList, toLabels } from './unowned-work.store.ts'

/** A process that another node could go on with. */
export interface MovableProcess {
  readonly id: string
  readonly sourceId: string
  readonly labels: readonly string[]
  readonly isRunning: boolean
}

/** Where something is now; `nodeId` is null while it waits for a node. */
export interface Whereabouts {
  readonly nodeId: NodeId | null
  /** Of a process: its node has taken it up, and it runs. */
  readonly isRunning: boolean
}

/** All as the own node, by its own connections: when that has been expelled, nothing of this is committed. */
export interface DrainingStore {
  isDraining(): Promise<boolean>
  /** Its own that go on, but for those of files, in the middle of which nobody else could go on. */
  listProcesses(): Promise<MovableProcess[]>
  /** Sources whose cameras it calls, and whose video no process of its own reads; those of one camera in one list. */
  listIdleCameras(): Promise<string[][]>
  /** Makes it nobody's. May be repeated. */
  releaseProcess(processId: string): Promise<void>
  releaseCameras(sourceIds: readonly string[]): Promise<void>
  /** Undefined when it has ended, or is no longer there. */
  findProcess(processId: string): Promise<Whereabouts | undefined>
  findCamera(sourceId: string): Promise<Whereabouts | undefined>
}

const MOVING = 'The process is moving to another node of this service.'

export function createDrainingStore(db: Db, { id: nodeId, epoch }: Pick<ClusterNode, 'id' | 'epoch'>): DrainingStore {
  const isOwn = (table: string) => sql`(${sql.ref(`${table}.node_id`)} = ${nodeId}
    and ${sql.ref(`${table}.node_epoch`)} = ${epoch})`
  const nodeOf = (table: string) => sql`left join node on node.id = ${sql.ref(`${table}.node_id`)}
    and node.epoch = ${sql.ref(`${table}.node_epoch`)} and node.is_alive = 1`

  return {
    async isDraining() {
      const row = await db.selectFrom('node').select('is_draining').where('id', '=', nodeId).executeTakeFirst()
      return row?.is_draining === 1
    },

    async listProcesses() {
      const { rows } = await sql<{ id: string; source_id: string; placement: string | null; state: ProcessState }>`
        select id, source_id, placement, state from process where ${isOwn('process')}
          and state in (${liveStateList}) and state <> 'stopping' and source_type <> 'file' order by id`.execute(db)
      return rows.map((row) => ({
        id: row.id,
        sourceId: row.source_id,
        labels: toLabels(row.placement),
        isRunning: row.state === 'running',
      }))
    },

    async listIdleCameras() {
      const { rows } = await sql<{ id: string; media_path: string | null }>`select id, media_path from source
        where ${isOwn('source')} and is_pulled = 1
          and not exists (select 1 from process join source same on same.id = process.source_id
            where (same.id = source.id or same.media_path = source.media_path)
              and ${isOwn('process')} and process.state in (${liveStateList}))
        order by id`.execute(db)
      const byPath = new Map<string, string[]>()
      for (const { id, media_path: path } of rows) byPath.set(path ?? id, [...(byPath.get(path ?? id) ?? []), id])
      return [...byPath.values()]
    },

    async releaseProcess(processId) {
      // Its state stays, for what follows from its next one; by the sentence it is seen when it has been taken up.
      await sql`update process set node_id = null, node_epoch = null,
          error = case when state = 'running' then ${MOVING} else error end
        where id = ${processId} and ${isOwn('process')}`.execute(db)
    },

    async releaseCameras(sourceIds) {
      await db
        .updateTable('source')
        .set({ node_id: null, node_epoch: null })
        .where('id', 'in', sourceIds)
        .where('node_id', '=', nodeId)
        .where('node_epoch', '=', epoch)
        .execute()
    },

    async findProcess(processId) {
      const { rows } = await sql<{ node_id: NodeId | null; is_running: boolean }>`
        select node.id as node_id, state = 'running' and error is null as is_running from process ${nodeOf('process')}
        where process.id = ${processId} and state in (${liveStateList})`.execute(db)
      return rows[0] && { nodeId: rows[0].node_id, isRunning: rows[0].is_running }
    },

    async findCamera(sourceId) {
      const { rows } = await sql<{ node_id: NodeId | null }>`select node.id as node_id from source ${nodeOf('source')}
        where source.id = ${sourceId} and is_pulled = 1`.execute(db)
      return rows[0] && { nodeId: rows[0].node_id, isRunning: false }
    },
  }
}
