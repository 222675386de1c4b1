import { sql } from 'kysely'
import { type Importance } from '../core/importance.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { isRecorded, type RecordingChoice, type RecordingMode } from '../core/recording-mode.ts'
import { type Db } from '../storage/database.ts'
import { inBatches, parseOrNull } from '../storage/queries.ts'

/** What files of these sources are, that have something of this stretch. */
export interface Mark extends Stretch {
  readonly sourceIds: readonly string[]
  readonly importance: Exclude<Importance, 0>
}

/** Where a source is recorded. */
export interface MarkedPath {
  /** The account's sources on it, of which one has the recordings. */
  readonly sourceIds: readonly string[]
  /** The classes that count, by what those are to be recorded; null for all. */
  readonly classes: ReadonlySet<string> | null
}

export interface RestStretch extends Stretch {
  readonly sourceId: string
}

export interface SeenStretch extends Stretch {
  readonly sourceId: string
  /** Null of an alert. */
  readonly className: string | null
}

export interface ImportanceMarkStore {
  /** By source; without those that are gone, and files. */
  findPaths(sourceIds: readonly string[]): Promise<ReadonlyMap<string, MarkedPath>>
  /** All or none. What is of more importance already stays so. */
  mark(marks: readonly Mark[]): Promise<void>
  /** Where recordings are that go unless they are marked: of each source from the first to the last of them. */
  listRest(): Promise<readonly RestStretch[]>
  /** What was seen there by the account's sources on its path, and what alerts were about. */
  listSeen(rest: RestStretch): AsyncIterable<SeenStretch>
}

/** Nobody is seen for longer without being another track: of what began before that, the last seconds may stay unmarked. */
const MAX_TRACK_MS = 86_400_000

/** `maxSegmentMs`: no file is longer. */
export function createImportanceMarkStore(db: Db, maxSegmentMs: number): ImportanceMarkStore {
  async function listSiblings(sourceIds: readonly string[]) {
    return db
      .selectFrom('source as origin')
      .innerJoin('source as sibling', (join) =>
        join
          .onRef('sibling.media_path', '=', 'origin.media_path')
          .onRef('sibling.account_id', '=', 'origin.account_id'),
      )
      .select(['origin.id as originId', 'sibling.id', 'sibling.record', 'sibling.recording_mode as mode'])
      .select('sibling.recording_classes as classes')
      .where('origin.id', 'in', sourceIds)
      .orderBy('sibling.id')
      .execute()
  }

  async function findPaths(sourceIds: readonly string[]): Promise<Map<string, MarkedPath>> {
    const siblings = new Map<string, Sibling[]>()
    for (const some of inBatches(sourceIds))
      for (const { originId, ...sibling } of await listSiblings(some))
        siblings.set(originId, [...(siblings.get(originId) ?? []), sibling])
    return new Map([...siblings].map(([originId, onPath]) => [originId, toMarkedPath(onPath)]))
  }

  const listTracks = (sourceIds: readonly string[], { from, to }: Stretch) =>
    db
      .selectFrom('track')
      .select(['source_id as sourceId', 'class_name as className', 'first_seen_at as from', 'last_seen_at as to'])
      // With the account, which the index begins with.
      .where('account_id', 'in', (eb) => eb.selectFrom('source').select('account_id').where('id', 'in', sourceIds))
      .where('source_id', 'in', sourceIds)
      .where('first_seen_at', '>', from - MAX_TRACK_MS)
      .where('first_seen_at', '<', to)
      .where('last_seen_at', '>', from - MAX_MARGIN_MS)

  const listAlerts = (sourceIds: readonly string[], { from }: Stretch) =>
    db
      .selectFrom('alert_event')
      .select(['source_id as sourceId', 'started_at as from', 'at as to'])
      .where('source_id', 'in', sourceIds)
      .where('at', '>', from - MAX_MARGIN_MS)

  return {
    findPaths,
    async mark(marks) {
      if (marks.length === 0) return
      await db.transaction().execute(async (tx) => {
        for (const { sourceIds, importance, from, to } of marks)
          await tx
            .updateTable('recording_segment')
            .set({ importance })
            .where('source_id', 'in', sourceIds)
            .where('importance', '<', importance)
            .where('started_at', '<', to)
            .where('started_at', '>', from - maxSegmentMs)
            .where((eb) =>
              eb.or([eb('duration_ms', 'is', null), eb(eb('started_at', '+', eb.ref('duration_ms')), '>', from)]),
            )
            .execute()
      })
    },
    async listRest() {
      const rows = await db
        .selectFrom('recording_segment')
        .select((eb) => ['source_id as sourceId', eb.fn.min<number>('started_at').as('from')])
        .select((eb) => eb.fn.max<number>('started_at').as('lastAt'))
        .where('rest_until', 'is not', null)
        // Not bound: SQLite takes the index of what is rest for the statement's own values alone.
        .where('importance', '=', sql.lit(0 as const))
        .groupBy('source_id')
        .execute()
      return rows.map(({ sourceId, from, lastAt }) => ({ sourceId, from, to: lastAt + maxSegmentMs }))
    },
    async *listSeen({ sourceId, ...stretch }) {
      const path = (await findPaths([sourceId])).get(sourceId)
      if (!path) return
      yield* listTracks(path.sourceIds, stretch).stream(PART)
      for await (const alert of listAlerts(path.sourceIds, stretch).stream(PART)) yield { ...alert, className: null }
    },
  }
}

const PART = 500
/** What is seen a little outside may count within. */
const MAX_MARGIN_MS = 60_000

interface Sibling {
  readonly id: string
  readonly record: number
  readonly mode: RecordingMode
  readonly classes: string | null
}

function toMarkedPath(siblings: readonly Sibling[]): MarkedPath {
  const choices = siblings.map(({ record, mode, classes }): RecordingChoice => {
    return { recordingMode: record === 0 ? 'off' : mode, recordingClasses: parseOrNull<string[]>(classes) }
  })
  return { sourceIds: siblings.map(({ id }) => id), classes: classesOf(choices) }
}

function classesOf(choices: readonly RecordingChoice[]): ReadonlySet<string> | null {
  const recorded = choices.filter(isRecorded)
  const isAnyEnough = recorded.some((one) => one.recordingMode === 'always' || one.recordingClasses === null)
  if (recorded.length === 0 || isAnyEnough) return null
  return new Set(recorded.flatMap(({ recordingClasses }) => recordingClasses ?? []))
}
