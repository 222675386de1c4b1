import { type OwnNode } from '../core/own-node.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Db } from '../storage/database.ts'
import { findOwned, isOfNode, listPage } from '../storage/queries.ts'
import { type RecordingRow, type RecordingSegmentRow } from '../storage/schema.ts'
import { type Segment, toSegment } from './segments.store.ts'

/** What was kept of a stream from one start to one stop. */
export interface Recording {
  readonly id: string
  readonly accountId: string
  readonly sourceId: string
  readonly alias: string
  readonly startedAt: number
  /** Null while it goes on. */
  readonly endedAt: number | null
}

export interface RecordingWithSegments extends Recording {
  readonly segments: readonly Segment[]
}

export interface RecordingStore {
  /** Its files are this node's. */
  insert(recording: Recording): Promise<void>
  end(id: string, endedAt: number | null): Promise<void>
  find(accountId: string, id: string): Promise<RecordingWithSegments | undefined>
  list(accountId: string, sourceId: string | undefined, page: PageRequest): Promise<Page<RecordingWithSegments>>
  /** The last recording of a source, to go on with after a short break; undefined where another node has its files. */
  findLast(sourceId: string): Promise<Recording | undefined>
  /** What was being written when the service died; what other nodes write is theirs. */
  listOpen(): Promise<Recording[]>
  remove(recordingId: string): Promise<void>
}

export function createRecordingStore(db: Db, node: OwnNode | null = null): RecordingStore {
  const nodeId = node?.id ?? null

  async function withSegments(rows: readonly RecordingRow[]): Promise<RecordingWithSegments[]> {
    if (rows.length === 0) return []
    const segments = await db
      .selectFrom('recording_segment')
      .selectAll()
      .where(
        'recording_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('started_at')
      .orderBy('id')
      .execute()
    const byRecording = groupByRecording(segments)
    return rows.map((row) => ({ ...toRecording(row), segments: (byRecording.get(row.id) ?? []).map(toSegment) }))
  }

  return {
    async insert({ id, accountId, sourceId, alias, startedAt, endedAt }) {
      await db
        .insertInto('recording')
        .values({
          id,
          account_id: accountId,
          source_id: sourceId,
          alias,
          started_at: startedAt,
          ended_at: endedAt,
          node_id: nodeId,
        })
        .execute()
    },
    async end(id, endedAt) {
      await db.updateTable('recording').set({ ended_at: endedAt }).where('id', '=', id).execute()
    },
    async find(accountId, id) {
      const row = await findOwned(db.selectFrom('recording').selectAll(), accountId, id)
      return row && (await withSegments([row]))[0]
    },
    async list(accountId, sourceId, page) {
      let query = db.selectFrom('recording').selectAll().where('account_id', '=', accountId)
      if (sourceId) query = query.where('source_id', '=', sourceId)
      const { items, nextCursor } = await listPage(query, page, (row) => row)
      return { items: await withSegments(items), nextCursor }
    },
    async findLast(sourceId) {
      const row = await db
        .selectFrom('recording')
        .selectAll()
        .where('source_id', '=', sourceId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.node_id === nodeId ? toRecording(row) : undefined
    },
    async listOpen() {
      const rows = await db
        .selectFrom('recording')
        .selectAll()
        .where(isOfNode(node))
        .where((or) =>
          or.or([
            or('ended_at', 'is', null),
            or('id', 'in', or.selectFrom('recording_segment').select('recording_id').where('duration_ms', 'is', null)),
          ]),
        )
        .execute()
      return rows.map(toRecording)
    },
    async remove(recordingId) {
      await db.deleteFrom('recording').where('id', '=', recordingId).execute()
    },
  }
}

function groupByRecording(segments: readonly RecordingSegmentRow[]): Map<string, RecordingSegmentRow[]> {
  const groups = new Map<string, RecordingSegmentRow[]>()
  for (const segment of segments) {
    const group = groups.get(segment.recording_id)
    if (group) group.push(segment)
    else groups.set(segment.recording_id, [segment])
  }
  return groups
}

function toRecording(row: RecordingRow): Recording {
  return {
    id: row.id,
    accountId: row.account_id,
    sourceId: row.source_id,
    alias: row.alias,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}
