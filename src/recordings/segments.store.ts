import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Importance } from '../core/importance.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type FragmentIndex } from '../core/recorded-time.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { type HeldBytes } from '../storage/kept-files.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { inParts } from '../storage/queries.ts'
import { type RecordingSegmentRow, type Tables } from '../storage/schema.ts'
import { fragmentIndexToJson } from './fragment-json.ts'

/** One file of a recording. */
export interface Segment {
  readonly id: string
  readonly recordingId: string
  readonly accountId: string
  /** Below the data folder. */
  readonly file: string
  readonly startedAt: number
  /** Null while it is being written; of a recording that has ended, where the file could not be read. */
  readonly durationMs: number | null
  readonly sizeBytes: number
  /** What was missed before it, by a clock that nobody sets. Null where nobody measured it: its first, or after a break of the stream. */
  readonly gapMs: number | null
}

export interface NewSegment extends Segment {
  /** When it goes unless it is of importance by then; null, as by default, where it stays. */
  readonly restUntil?: number | null
}

export interface RankedSegment extends Segment {
  readonly importance: Importance
}

export interface FoundSegment extends Segment {
  readonly alias: string
  /** The node that has its file; null in a service of one node. */
  readonly nodeId: string | null
}

/** What is kept of one source, by a name that it has or had. */
export interface HeldRecordings {
  readonly sourceId: string
  readonly accountId: string
  readonly alias: string
  readonly bytes: number
}

/** Notes, in the transaction in which its row goes, that a node is to remove a file. */
export type LeaveToNode = (nodeId: string, file: string, tx: Queryable) => Promise<void>

export interface SegmentEnd {
  readonly durationMs: number
  readonly sizeBytes: number
  /** Where it can be cut; null where that can't be found out. */
  readonly index: FragmentIndex | null
  /** As is known by now; left out where no more is. */
  readonly startedAt?: number
}

/** A node counts, and lists for removal or for the object store, what is on its own disk. */
export interface SegmentStore {
  /** The same one again, by a caller that could not know that it was written, changes nothing. */
  insert(segment: NewSegment): Promise<void>
  /** It is complete. */
  end(id: string, change: SegmentEnd): Promise<void>
  grow(id: string, sizeBytes: number): Promise<void>
  find(id: string): Promise<FoundSegment | undefined>
  /**
   * Ended segments that are older than their account allows for their importance, or that nothing has happened in where that decides;
   * also those of nodes that are gone.
   */
  listExpired(now: number, limit: number): Promise<Segment[]>
  /** Ended segments of an account that are on this disk only: the least important, and of these the oldest. */
  listOldest(accountId: string, limit: number): Promise<RankedSegment[]>
  /**
   * A part at a time: complete segments that began after this time, that the object store does not know of, and that are to stay.
   */
  listUnstored(startedAfter: number): AsyncIterable<Segment[]>
  /** On all nodes. */
  listOfAccount(accountId: string): Promise<Segment[]>
  /** Removes the row, and its recording when that was the last one and it has ended. A file of another node is left to that one. */
  remove(segment: Segment): Promise<void>
  heldBytes(): Promise<HeldBytes>
  /** Of each source, the largest first: on all nodes and in the object store. */
  listHeld(): Promise<HeldRecordings[]>
  /** Of these, what is in files that are being written. */
  writingBytes(): Promise<HeldBytes>
}

const DAY_MS = 86_400_000
const PART = 500

export function createSegmentStore(
  db: Db,
  node: OwnNode | null = null,
  leaveToNode: LeaveToNode = async () => {},
): SegmentStore {
  const isOwn = isOnDiskOf(node)
  /** Those that nobody writes any more. */
  const ended = () =>
    db
      .selectFrom('recording_segment')
      .selectAll('recording_segment')
      .where((eb) => eb.not(isBeingWritten(eb)))

  return {
    async insert({ id, recordingId, accountId, file, startedAt, durationMs, sizeBytes, gapMs, restUntil = null }) {
      await db
        .insertInto('recording_segment')
        .values((eb) => ({
          id,
          recording_id: recordingId,
          account_id: accountId,
          source_id: eb.selectFrom('recording').select('recording.source_id').where('recording.id', '=', recordingId),
          file,
          started_at: startedAt,
          duration_ms: durationMs,
          size_bytes: sizeBytes,
          gap_ms: gapMs,
          importance: 0,
          rest_until: restUntil,
        }))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
    async end(id, { durationMs, sizeBytes, index, startedAt }) {
      await db
        .updateTable('recording_segment')
        .set({
          duration_ms: durationMs,
          size_bytes: sizeBytes,
          fragments: index && fragmentIndexToJson(index),
          ...(startedAt !== undefined && { started_at: startedAt }),
        })
        .where('id', '=', id)
        .execute()
    },
    async grow(id, sizeBytes) {
      await db.updateTable('recording_segment').set({ size_bytes: sizeBytes }).where('id', '=', id).execute()
    },
    async find(id) {
      const row = await db
        .selectFrom('recording_segment')
        .innerJoin('recording', 'recording.id', 'recording_segment.recording_id')
        .selectAll('recording_segment')
        .select(['recording.alias', 'recording.node_id'])
        .where('recording_segment.id', '=', id)
        .executeTakeFirst()
      return row && { ...toSegment(row), alias: row.alias, nodeId: row.node_id }
    },
    async listExpired(now, limit) {
      const expired = () => ended().where(isOfNoOther(node)).limit(limit)
      const rest = await expired().where(isRest).where('rest_until', '<=', now).orderBy('rest_until').execute()
      if (rest.length === limit) return rest.map(toSegment)
      const old = await expired()
        // Nothing younger can be past its time, whoever's it is.
        .where((eb) => eb('started_at', '<', eb(eb.val(now), '-', eb(minRetentionDays(db), '*', DAY_MS))))
        .innerJoin(effectiveAccounts(db).as('account'), 'account.id', 'recording_segment.account_id')
        .where((eb) => eb('started_at', '<', eb(eb.val(now), '-', eb(retentionDays, '*', DAY_MS))))
        .orderBy('started_at')
        .execute()
      const known = new Set(rest.map(({ id }) => id))
      return [...rest, ...old.filter(({ id }) => !known.has(id))].slice(0, limit).map(toSegment)
    },
    async listOldest(accountId, limit) {
      const query = ended().where('account_id', '=', accountId).where(isOwn).where(isOnDiskOnly)
      const oldest = await query.orderBy('importance').orderBy('started_at').limit(limit).execute()
      return oldest.map((row) => ({ ...toSegment(row), importance: row.importance }))
    },
    async *listUnstored(startedAfter) {
      const query = db
        .selectFrom('recording_segment')
        .selectAll()
        .where('started_at', '>', startedAfter)
        .where(isOwn)
        .where('duration_ms', '>', 0)
        .where((eb) => eb.not(isRest(eb)))
        .where((eb) => eb.not(eb.exists(storedFileOf(eb))))
      yield* inParts(query.stream(PART), PART, toSegment)
    },
    async listOfAccount(accountId) {
      return (await ended().where('account_id', '=', accountId).execute()).map(toSegment)
    },
    remove: (segment) =>
      db.transaction().execute(async (tx) => {
        const { id, recordingId, file } = segment
        const other = node ? await nodeOf(tx, recordingId) : null
        const { numDeletedRows } = await tx
          .deleteFrom('recording_segment')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await measureGapByDates(tx, segment)
        // Others may remove it at the same time.
        if (node && other !== null && other !== node.id && numDeletedRows > 0n) await leaveToNode(other, file, tx)
        await tx
          .deleteFrom('recording')
          .where('id', '=', recordingId)
          .where('ended_at', 'is not', null)
          .where((eb) =>
            eb.not(eb.exists(eb.selectFrom('recording_segment').select('id').where('recording_id', '=', recordingId))),
          )
          .execute()
      }),
    heldBytes: () => sumByAccount(db.selectFrom('recording_segment').where(isOwn)),
    listHeld: () => listHeld(db),
    writingBytes: () => sumByAccount(db.selectFrom('recording_segment').where(isOwn).where(isBeingWritten)),
  }
}

/** Of what is recorded by event: nothing has happened in it so far. As the index has it, whose values SQLite compares with no bound ones. */
function isRest(eb: ExpressionBuilder<Tables, 'recording_segment'>) {
  return eb.and([eb('rest_until', 'is not', null), eb('importance', '=', sql.lit(0 as const))])
}

/** Of an effective account: how long it keeps a segment of this importance. */
const retentionDays = sql<number>`case recording_segment.importance when 0 then account.recording_retention_days
  when 1 then account.track_retention_days else account.alert_retention_days end`

const minRetentionDays = (db: Db) =>
  db
    .selectFrom(effectiveAccounts(db).as('keeper'))
    .select((eb) => eb.fn.min<number>('keeper.recording_retention_days').as('days'))

/** What was missed before the next segment is no longer all that is not there. */
async function measureGapByDates(tx: Queryable, { recordingId, startedAt }: Segment): Promise<void> {
  await tx
    .updateTable('recording_segment')
    .set({ gap_ms: null })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('recording_segment as next')
        .select('next.id')
        .where('next.recording_id', '=', recordingId)
        .where('next.started_at', '>=', startedAt)
        .orderBy('next.started_at')
        .orderBy('next.id')
        .limit(1),
    )
    .execute()
}

/** A service that is alone has all of them. */
function isOnDiskOf(node: OwnNode | null) {
  return (eb: ExpressionBuilder<Tables, 'recording_segment'>) =>
    node ? eb.exists(recordingOf(eb).where('recording.node_id', '=', node.id)) : eb.lit(true)
}

/** Also of nodes that are gone: nobody else looks after those. */
function isOfNoOther(node: OwnNode | null) {
  return (eb: ExpressionBuilder<Tables, 'recording_segment'>) => {
    if (!node) return eb.lit(true)
    const others = eb
      .selectFrom('node')
      .select('node.id')
      .where('node.is_alive', '=', 1)
      .where('node.id', '<>', node.id)
    return eb.not(eb.exists(recordingOf(eb).where('recording.node_id', 'in', others)))
  }
}

async function listHeld(db: Db): Promise<HeldRecordings[]> {
  const rows = await db
    .selectFrom('recording_segment')
    .innerJoin('recording', 'recording.id', 'recording_segment.recording_id')
    .select((eb) => [
      'recording.source_id',
      'recording.account_id',
      eb.fn.max('recording.alias').as('alias'),
      eb.fn.sum<number>('size_bytes').as('bytes'),
    ])
    .groupBy(['recording.source_id', 'recording.account_id'])
    .orderBy('bytes', 'desc')
    .execute()
  return rows.map(({ source_id: sourceId, account_id: accountId, alias, bytes }) => {
    return { sourceId, accountId, alias, bytes: Number(bytes) }
  })
}

function recordingOf(eb: ExpressionBuilder<Tables, 'recording_segment'>) {
  return eb
    .selectFrom('recording')
    .select('recording.id')
    .whereRef('recording.id', '=', 'recording_segment.recording_id')
}

/** Null also where that node was forgotten: nobody waits for it. */
async function nodeOf(tx: Queryable, recordingId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('recording')
    .innerJoin('node', 'node.id', 'recording.node_id')
    .select('node.id')
    .where('recording.id', '=', recordingId)
    .executeTakeFirst()
  return row?.id ?? null
}

function storedFileOf(eb: ExpressionBuilder<Tables, 'recording_segment'>) {
  return eb
    .selectFrom('stored_file')
    .select('stored_file.file')
    .whereRef('stored_file.file', '=', 'recording_segment.file')
}

/** What is in the object store too takes no room that its loss would make. */
function isOnDiskOnly(eb: ExpressionBuilder<Tables, 'recording_segment'>) {
  return eb.not(eb.exists(storedFileOf(eb).where('stored_file.place', '<>', 'disk')))
}

/** A segment that could not be measured has no duration either, but its recording has ended. */
function isBeingWritten(eb: ExpressionBuilder<Tables, 'recording_segment'>) {
  const goingOn = eb
    .selectFrom('recording')
    .select('recording.id')
    .whereRef('recording.id', '=', 'recording_segment.recording_id')
    .where('recording.ended_at', 'is', null)
  return eb.and([eb('duration_ms', 'is', null), eb.exists(goingOn)])
}

async function sumByAccount(segments: SelectQueryBuilder<Tables, 'recording_segment', object>): Promise<HeldBytes> {
  const rows = await segments
    .select((eb) => ['account_id', eb.fn.sum<number>('size_bytes').as('bytes')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, bytes }) => [account_id, bytes]))
}

export function toSegment(row: RecordingSegmentRow): Segment {
  return {
    id: row.id,
    recordingId: row.recording_id,
    accountId: row.account_id,
    file: row.file,
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    sizeBytes: row.size_bytes,
    gapMs: row.gap_ms,
  }
}
