import { type SelectQueryBuilder } from 'kysely'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Db } from '../storage/database.ts'
import { type HeldBytes } from '../storage/disk-budget.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { findOwned } from '../storage/find-owned.ts'
import { listPage } from '../storage/list-page.ts'
import { type RecordingRow, type RecordingSegmentRow, type Tables } from '../storage/schema.ts'

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

/** One file of a recording. */
export interface Segment {
  readonly id: string
  readonly recordingId: string
  readonly accountId: string
  /** Below the data folder. */
  readonly file: string
  readonly startedAt: number
  /** Null while it is being written. */
  readonly durationMs: number | null
  readonly sizeBytes: number
}

export interface RecordingWithSegments extends Recording {
  readonly segments: readonly Segment[]
}

export interface RecordingStore {
  insert(recording: Recording): Promise<void>
  end(id: string, endedAt: number | null): Promise<void>
  insertSegment(segment: Segment): Promise<void>
  updateSegment(id: string, change: { readonly durationMs: number; readonly sizeBytes: number }): Promise<void>
  growSegment(id: string, sizeBytes: number): Promise<void>
  find(accountId: string, id: string): Promise<RecordingWithSegments | undefined>
  findSegment(id: string): Promise<(Segment & { readonly alias: string }) | undefined>
  list(accountId: string, sourceId: string | undefined, page: PageRequest): Promise<Page<RecordingWithSegments>>
  /** The last recording of a source, to go on with after a short break. */
  findLast(sourceId: string): Promise<Recording | undefined>
  /** What was being written when the service died. */
  listOpen(): Promise<Recording[]>
  /** Ended segments that are older than their account allows. */
  listExpired(now: number, limit: number): Promise<Segment[]>
  /** Ended segments of an account. */
  listOldestSegments(accountId: string, limit: number): Promise<Segment[]>
  listSegmentsOfAccount(accountId: string): Promise<Segment[]>
  /** Removes the row, and its recording when that was the last one and it has ended. */
  removeSegment(segment: Segment): Promise<void>
  remove(recordingId: string): Promise<void>
  heldBytes(): Promise<HeldBytes>
  /** Of these, what is in files that are being written. */
  writingBytes(): Promise<HeldBytes>
}

const DAY_MS = 86_400_000

export function createRecordingStore(db: Db): RecordingStore {
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

  const ended = () =>
    db.selectFrom('recording_segment').selectAll('recording_segment').where('duration_ms', 'is not', null)

  return {
    async insert({ id, accountId, sourceId, alias, startedAt, endedAt }) {
      await db
        .insertInto('recording')
        .values({ id, account_id: accountId, source_id: sourceId, alias, started_at: startedAt, ended_at: endedAt })
        .execute()
    },
    async end(id, endedAt) {
      await db.updateTable('recording').set({ ended_at: endedAt }).where('id', '=', id).execute()
    },
    async insertSegment({ id, recordingId, accountId, file, startedAt, durationMs, sizeBytes }) {
      const row = {
        id,
        recording_id: recordingId,
        account_id: accountId,
        file,
        started_at: startedAt,
        duration_ms: durationMs,
        size_bytes: sizeBytes,
      }
      await db.insertInto('recording_segment').values(row).execute()
    },
    async updateSegment(id, { durationMs, sizeBytes }) {
      await db
        .updateTable('recording_segment')
        .set({ duration_ms: durationMs, size_bytes: sizeBytes })
        .where('id', '=', id)
        .execute()
    },
    async growSegment(id, sizeBytes) {
      await db.updateTable('recording_segment').set({ size_bytes: sizeBytes }).where('id', '=', id).execute()
    },
    async find(accountId, id) {
      const row = await findOwned(db.selectFrom('recording').selectAll(), accountId, id)
      return row && (await withSegments([row]))[0]
    },
    async findSegment(id) {
      const row = await db
        .selectFrom('recording_segment')
        .innerJoin('recording', 'recording.id', 'recording_segment.recording_id')
        .selectAll('recording_segment')
        .select('recording.alias')
        .where('recording_segment.id', '=', id)
        .executeTakeFirst()
      return row && { ...toSegment(row), alias: row.alias }
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
      return row && toRecording(row)
    },
    async listOpen() {
      const rows = await db
        .selectFrom('recording')
        .selectAll()
        .where((or) =>
          or.or([
            or('ended_at', 'is', null),
            or('id', 'in', or.selectFrom('recording_segment').select('recording_id').where('duration_ms', 'is', null)),
          ]),
        )
        .execute()
      return rows.map(toRecording)
    },
    async listExpired(now, limit) {
      const rows = await ended()
        .innerJoin('recording', 'recording.id', 'recording_segment.recording_id')
        .innerJoin(effectiveAccounts(db).as('account'), 'account.id', 'recording.account_id')
        .where((eb) =>
          eb(
            'recording_segment.started_at',
            '<',
            eb(eb.val(now), '-', eb('account.recording_retention_days', '*', DAY_MS)),
          ),
        )
        .orderBy('recording_segment.started_at')
        .limit(limit)
        .execute()
      return rows.map(toSegment)
    },
    async listOldestSegments(accountId, limit) {
      const query = ended().where('account_id', '=', accountId).orderBy('started_at').limit(limit)
      return (await query.execute()).map(toSegment)
    },
    async listSegmentsOfAccount(accountId) {
      return (await ended().where('account_id', '=', accountId).execute()).map(toSegment)
    },
    removeSegment: ({ id, recordingId }) =>
      db.transaction().execute(async (tx) => {
        await tx.deleteFrom('recording_segment').where('id', '=', id).execute()
        await tx
          .deleteFrom('recording')
          .where('id', '=', recordingId)
          .where('ended_at', 'is not', null)
          .where((eb) =>
            eb.not(eb.exists(eb.selectFrom('recording_segment').select('id').where('recording_id', '=', recordingId))),
          )
          .execute()
      }),
    async remove(recordingId) {
      await db.deleteFrom('recording').where('id', '=', recordingId).execute()
    },
    heldBytes: () => sumByAccount(db.selectFrom('recording_segment')),
    writingBytes: () => sumByAccount(db.selectFrom('recording_segment').where('duration_ms', 'is', null)),
  }
}

async function sumByAccount(segments: SelectQueryBuilder<Tables, 'recording_segment', object>): Promise<HeldBytes> {
  const rows = await segments
    .select((eb) => ['account_id', eb.fn.sum<number>('size_bytes').as('bytes')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, bytes }) => [account_id, bytes]))
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

function toSegment(row: RecordingSegmentRow): Segment {
  return {
    id: row.id,
    recordingId: row.recording_id,
    accountId: row.account_id,
    file: row.file,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    sizeBytes: row.size_bytes,
  }
}
