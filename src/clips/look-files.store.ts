import { type Stretch } from '../core/recorded-time.ts'
import { type Db } from '../storage/database.ts'

/** A file of what a process saw. */
export interface LookFile {
  readonly id: string
  readonly processId: string
  /** Below the data folder. */
  readonly file: string
  /** The node that has it; null in a service of one node. */
  readonly nodeId: string | null
}

export interface LookFileStore {
  /** Those of a source, or of one of its processes alone, that overlap a stretch, by time. */
  list(sourceId: string, processId: string | null, stretch: Stretch): Promise<LookFile[]>
}

/** What is being written lasts longer than its row says. */
const WRITTEN_WITHIN_MS = 30_000

export function createLookFileStore(db: Db): LookFileStore {
  return {
    async list(sourceId, processId, { from, to }) {
      const rows = await db
        .selectFrom('detection_file')
        .select(['id', 'process_id', 'file', 'node_id'])
        .where('source_id', '=', sourceId)
        .$if(processId !== null, (query) => query.where('process_id', '=', processId!))
        .where('started_at', '<', to)
        .where('ended_at', '>', from - WRITTEN_WITHIN_MS)
        .orderBy('started_at')
        .orderBy('id')
        .execute()
      return rows.map(({ id, process_id: processOf, file, node_id }) => ({
        id,
        processId: processOf,
        file,
        nodeId: node_id,
      }))
    },
  }
}
