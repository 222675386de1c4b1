import { type RecordedFile, type Stretch } from '../core/recorded-time.ts'
import { type Db } from '../storage/database.ts'
import { listSegmentsWithin } from '../storage/segments-within.ts'
import { listSourcesOnPathOf } from '../storage/sources-on-path.ts'
import { type Tables } from '../storage/schema.ts'
import { fragmentIndexFromJson } from './fragment-json.ts'
import { toSegment } from './segments.store.ts'

/** The files of recordings by the time that they are of. */
export interface RecordedFileStore {
  /** Those of these sources that overlap a stretch, by time. */
  list(sourceIds: readonly string[], stretch: Stretch): Promise<RecordedFile[]>
  find(id: string): Promise<RecordedFile | undefined>
  /** The sources whose recordings count for this one: the account's on its path. A source that is gone is alone. */
  listSiblings(sourceId: string): Promise<string[]>
}

export function createRecordedFileStore(db: Db): RecordedFileStore {
  const files = () =>
    db
      .selectFrom('recording_segment')
      .innerJoin('recording', 'recording.id', 'recording_segment.recording_id')
      .selectAll('recording_segment')
      .select('recording.node_id')

  return {
    async list(sourceIds, stretch) {
      const ofSources = files().where('recording_segment.source_id', 'in', sourceIds)
      const rows = await listSegmentsWithin(ofSources, stretch)
      const isReaching = ({ started_at: at, duration_ms: ms }: FileRow) => ms === null || at + ms > stretch.from
      return rows.filter(isReaching).map(toRecordedFile)
    },
    async find(id) {
      const row = await files().where('recording_segment.id', '=', id).executeTakeFirst()
      return row && toRecordedFile(row)
    },
    listSiblings: (sourceId) => listSourcesOnPathOf(db, sourceId),
  }
}

type FileRow = Tables['recording_segment'] & { readonly node_id: string | null }

function toRecordedFile(row: FileRow): RecordedFile {
  return {
    ...toSegment(row),
    sourceId: row.source_id,
    nodeId: row.node_id,
    index: fragmentIndexFromJson(row.fragments),
  }
}
