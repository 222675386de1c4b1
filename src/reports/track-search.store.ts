import { setImmediate as nextRound } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { type Page } from '../core/page.ts'
import { type EnhancedData, nothingFound } from '../enhance/messages.ts'
import { type Db } from '../storage/database.ts'
import { inBatches, parseOrNull } from '../storage/queries.ts'
import { type Tables } from '../storage/schema.ts'
import { isNearby, isRowWithin, listNear, placeColumns } from './near.store.ts'
import { type SeenLocation } from './report.ts'
import { hasPlate, listPlated } from './plated.store.ts'
import { listSeenAcross } from './seen-across.store.ts'
import { type FoundTrack, keyBefore, newestFirst, toCursor, type TrackKey, type TrackSearch } from './track-search.ts'

export interface TrackSearchStore {
  /**
   * The newest by their first sighting. Where little matches, a page may be short or empty and still have a next one: one request
   * does not look at everything.
   */
  search(accountId: string, search: TrackSearch, page: TrackPage): Promise<Page<FoundTrack>>
}

export interface TrackPage {
  readonly limit: number
  readonly after?: TrackKey | undefined
  /** Ends the search with what was found so far. */
  readonly signal?: AbortSignal | undefined
}

export interface SearchLimits {
  /** Tracks that are looked at in one statement, whether they match or not: SQLite works on the main thread. */
  readonly step: number
  /** Statements for one page, of a step each at the most. */
  readonly reads: number
}

const LIMITS: SearchLimits = { step: 5_000, reads: 40 }
/** Rows that are read at least, since some of them lie outside of the circle. */
const MIN_ROWS = 50

type Condition = (eb: ExpressionBuilder<Tables, 'track'>) => Expression<SqlBool>

/** A part of the list. */
interface Stretch {
  readonly holds: Condition
  /** The list goes on after it; undefined at its end. */
  readonly rest: TrackKey | undefined
}

export function createTrackSearchStore(db: Db, limits = LIMITS): TrackSearchStore {
  return {
    async search(accountId, search, { limit, after, signal }) {
      const found: FoundTrack[] = []
      let reads = 0
      for await (const { holds, rest } of stretches(db, accountId, search, after, limits.step)) {
        for (let isMore = true; isMore;) {
          const wanted = Math.max(MIN_ROWS, limit + 1 - found.length)
          const rows = await readRows(db, search, holds, wanted, after)
          found.push(...rows.filter((row) => !search.near || isRowWithin(search.near, row)).map(toFoundTrack))
          if (found.length > limit) return { items: found.slice(0, limit), nextCursor: found[limit - 1]!.id }
          isMore = rows.length === wanted
          after = isMore ? keyOf(rows.at(-1)!) : rest
          reads += 1
          if (after && (reads >= limits.reads || signal?.aborted)) return { items: found, nextCursor: toCursor(after) }
          await nextRound()
        }
      }
      return { items: found, nextCursor: undefined }
    },
  }
}

/**
 * Conditions that hold all that may match, one after the other in the order of the list. What began in the range comes first, a step
 * at a time, then what had begun before it. Where only few tracks are near, it is those.
 */
async function* stretches(
  db: Db,
  accountId: string,
  search: TrackSearch,
  after: TrackKey | undefined,
  step: number,
): AsyncGenerator<Stretch> {
  const { from, to = Number.MAX_SAFE_INTEGER } = search.range
  const since = from ?? 0
  const newest = Math.min(to - 1, after?.firstSeenAt ?? to)
  const few = await listFew(db, accountId, search)
  if (few) {
    yield* fewAtATime(
      few.filter(({ firstSeenAt }) => firstSeenAt <= newest),
      since,
    )
    return
  }
  const filter = narrowest(search)
  for (let end: number | undefined = newest; end !== undefined && end >= since;) {
    const last: number = end
    const start: number | undefined = await startOfStep(db, accountId, filter, { since, end: last, step })
    const holds: Condition = (eb) =>
      eb.and([
        eb('account_id', '=', accountId),
        ...(filter ? [eb(...filter)] : []),
        eb('first_seen_at', '>=', start ?? since),
        eb('first_seen_at', '<=', last),
      ])
    const earlier = (start ?? since) - 1
    const isLast = start === undefined && from === undefined
    yield { holds, rest: isLast || earlier < 0 ? undefined : keyBefore(earlier) }
    end = start === undefined ? undefined : earlier
  }
  if (from === undefined) return
  const lasting = await listSeenAcross(db, accountId, from)
  yield* fewAtATime(
    lasting.sort(newestFirst).filter(({ firstSeenAt }) => firstSeenAt <= newest),
    since,
  )
}

/** Where few tracks can match at all: those, newest first. */
async function listFew(db: Db, accountId: string, { near, plate }: TrackSearch): Promise<TrackKey[] | undefined> {
  const plated = plate === undefined ? undefined : await listPlated(db, accountId, plate)
  if (plated) return plated.sort(newestFirst)
  return near && listNear(db, accountId, near)
}

function* fewAtATime(keys: readonly TrackKey[], since: number): Generator<Stretch> {
  for (const some of inBatches(keys)) {
    const holds: Condition = (eb) =>
      eb.and([
        eb.or(some.map((key) => eb.and([eb('process_id', '=', key.processId), eb('track_id', '=', key.trackId)]))),
        eb('last_seen_at', '>=', since),
      ])
    yield { holds, rest: some.at(-1) === keys.at(-1) ? undefined : some.at(-1) }
  }
}

type Filter = readonly ['process_id' | 'source_id' | 'class_name', '=', string]

/** The filter whose index is walked; the others are looked at on the way. */
function narrowest({ processId, sourceId, className }: TrackSearch): Filter | undefined {
  if (processId !== undefined) return ['process_id', '=', processId]
  if (sourceId !== undefined) return ['source_id', '=', sourceId]
  return className === undefined ? undefined : ['class_name', '=', className]
}

/** When the earliest of the next tracks began; none where fewer than a step are left. */
async function startOfStep(
  db: Db,
  accountId: string,
  filter: Filter | undefined,
  { since, end, step }: { readonly since: number; readonly end: number; readonly step: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('track')
    .select('first_seen_at')
    .where('account_id', '=', accountId)
    .$if(filter !== undefined, (query) => query.where(...filter!))
    .where('first_seen_at', '>=', since)
    .where('first_seen_at', '<=', end)
    .orderBy('first_seen_at', 'desc')
    .offset(step - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.first_seen_at
}

const columns = [
  'process_id',
  'track_id',
  'source_id',
  'class_id',
  'class_name',
  'max_confidence',
  'first_seen_at',
  'last_seen_at',
  'first_location',
  'last_location',
  'enhanced_at',
  'enhanced_data',
  ...placeColumns,
] as const

async function readRows(db: Db, search: TrackSearch, stretch: Condition, limit: number, after: TrackKey | undefined) {
  const matching = db
    .selectFrom('track')
    .select(columns)
    .where(stretch)
    // What is being removed is nobody's any more.
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('process')
          .select('process.id')
          .whereRef('process.id', '=', 'track.process_id')
          .where('process.is_reported', '=', 1),
      ),
    )
    .where((eb) => {
      return eb.and(matches(eb, search))
    })
    .$if(after !== undefined, (query) => query.where((eb) => isAfter(eb, after!)))
    .orderBy('first_seen_at', 'desc')
    .orderBy('process_id', 'desc')
    .orderBy('track_id', 'desc')
    .limit(limit)
  return db
    .selectFrom(matching.as('found'))
    .leftJoin('source', 'source.id', 'found.source_id')
    .leftJoin('track_picture', (join) =>
      join
        .onRef('track_picture.process_id', '=', 'found.process_id')
        .onRef('track_picture.track_id', '=', 'found.track_id')
        .on('track_picture.role', '=', 'patch')
        .on('track_picture.slot', '=', 0),
    )
    .selectAll('found')
    .select(['source.alias', 'track_picture.file', 'track_picture.confidence', 'track_picture.taken_at'])
    .orderBy('found.first_seen_at', 'desc')
    .orderBy('found.process_id', 'desc')
    .orderBy('found.track_id', 'desc')
    .execute()
}

function matches(eb: ExpressionBuilder<Tables, 'track'>, search: TrackSearch): Expression<SqlBool>[] {
  const { sourceId, processId, className, classNames, color, plate, minConfidence, minSeconds, near } = search
  // By text that is put together, so that no other index is taken than the stretch's own.
  const equals = (column: Filter[0], values: readonly (string | undefined)[] | undefined) => {
    const wanted = (values ?? []).filter((value) => value !== undefined)
    return values === undefined || wanted.length < values.length ? [] : [eb(eb(column, '||', ''), 'in', wanted)]
  }
  return [
    ...equals('source_id', [sourceId]),
    ...equals('process_id', [processId]),
    ...equals('class_name', [className]),
    ...equals('class_name', classNames),
    ...(color === undefined ? [] : [eb('color', 'like', `% ${color} %`)]),
    ...(plate === undefined ? [] : [hasPlate(eb, plate)]),
    ...(minConfidence === undefined ? [] : [eb('max_confidence', '>=', minConfidence)]),
    ...(minSeconds === undefined
      ? []
      : [eb(eb('last_seen_at', '-', eb.ref('first_seen_at')), '>=', Math.round(minSeconds * 1000))]),
    ...(near ? [isNearby(eb, near)] : []),
  ]
}

/** Later in the list. By a sum, for the same reason: a stretch has the range of its index. */
function isAfter(
  eb: ExpressionBuilder<Tables, 'track'>,
  { firstSeenAt, processId, trackId }: TrackKey,
): Expression<SqlBool> {
  const began = eb('first_seen_at', '+', 0)
  const isFurther = eb.or([
    eb('process_id', '<', processId),
    eb.and([eb('process_id', '=', processId), eb('track_id', '<', trackId)]),
  ])
  return eb.or([eb(began, '<', firstSeenAt), eb.and([eb(began, '=', firstSeenAt), isFurther])])
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

const keyOf = (row: Row): TrackKey => ({
  firstSeenAt: row.first_seen_at,
  processId: row.process_id,
  trackId: row.track_id,
})

function toFoundTrack(row: Row): FoundTrack {
  const { file, confidence, taken_at } = row
  return {
    ...keyOf(row),
    id: toCursor(keyOf(row)),
    sourceId: row.source_id,
    alias: row.alias,
    classId: row.class_id,
    className: row.class_name,
    maxConfidence: row.max_confidence,
    lastSeenAt: row.last_seen_at,
    firstLocation: parseOrNull<SeenLocation>(row.first_location),
    lastLocation: parseOrNull<SeenLocation>(row.last_location),
    // An older version found out less.
    enhanced: row.enhanced_at === null ? null : { ...nothingFound, ...parseOrNull<EnhancedData>(row.enhanced_data) },
    patchRow: file === null ? null : { file, confidence: confidence!, taken_at: taken_at! },
  }
}
