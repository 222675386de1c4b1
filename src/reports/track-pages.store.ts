import { type EnhancedData, nothingFound } from '../enhance/messages.ts'
import { type Db } from '../storage/database.ts'
import { parseOrNull } from '../storage/queries.ts'
import { type TrackPictureRow, type TrackRow } from '../storage/schema.ts'
import { type BoxNumbers, type ReportTrack, type SeenLocation } from './report.ts'
import { listSeenAcross } from './seen-across.store.ts'
import { type Sightings, readSightings } from './sightings.store.ts'

/** A stored track with the row of its patch. */
export interface StoredTrack extends Omit<ReportTrack, 'isLive' | 'patch'> {
  readonly patchRow?: TrackPictureRow
}

/** Whose tracks are read. */
export interface TracksOfProcess {
  readonly id: string
  readonly accountId: string
}

export interface TrackPagesRequest {
  /** The window: what was seen at `since` or after it, and before `until`. */
  readonly since: number
  readonly until: number
  /** How many tracks a page has at most. */
  readonly limit: number
  readonly wantsBoxes: boolean
  readonly wantsPlaces: boolean
  readonly wantsPatches: boolean
}

/** In one page, but for a single track that has more: what is read at once is parsed at once. */
const MAX_SIGHTINGS = 50_000

/** Every column of every row costs time in a large report. */
const readColumns = [
  'track_id',
  'sightings',
  'class_id',
  'class_name',
  'first_seen_at',
  'last_seen_at',
  'box',
  'first_location',
  'last_location',
  'enhanced_at',
  'enhanced_data',
] as const

/** Tracks of a window, by id; some may have no sighting in it. Long ones make a page shorter, and where none are in it a page is empty. */
export async function* readTrackPages(
  db: Db,
  process: TracksOfProcess,
  request: TrackPagesRequest,
): AsyncGenerator<readonly StoredTrack[]> {
  const few = await listFew(db, process, request)
  const found = few ? lookUp(db, process.id, few, request.limit) : walk(db, process.id, request)
  for await (const rows of found) {
    if (rows.length === 0) yield []
    for (let at = 0; at < rows.length;) {
      const some = rows.slice(at, at + Math.min(request.limit, fitting(rows.slice(at))))
      yield await readTracks(db, process.id, request, some)
      at += some.length
    }
  }
}

/** In a window of at most so many tracks they are looked up; in a larger one they lie close to each other. */
const FEW = 5_000

/**
 * The ids of a window that has few: by their keys they would be searched for among all tracks of the process, and one that
 * has run for weeks has hundreds of thousands.
 */
async function listFew(
  db: Db,
  { id, accountId }: TracksOfProcess,
  { since, until }: TrackPagesRequest,
): Promise<number[] | undefined> {
  const ofProcess = db
    .selectFrom('track')
    .select('track_id')
    .where('account_id', '=', accountId)
    .where('process_id', '=', id)
    .limit(FEW + 1)
  const begun = await ofProcess.where('first_seen_at', '>=', since).where('first_seen_at', '<', until).execute()
  if (begun.length > FEW) return undefined
  const lasting = (await listSeenAcross(db, accountId, since)).filter(({ processId }) => processId === id)
  if (begun.length + lasting.length > FEW) return undefined
  return [...begun.map(({ track_id }) => track_id), ...lasting.map(({ trackId }) => trackId)].sort((a, b) => a - b)
}

type ReadRow = Pick<TrackRow, (typeof readColumns)[number]>

const tracksOf = (db: Db, processId: string) =>
  db.selectFrom('track').select(readColumns).where('process_id', '=', processId).orderBy('track_id')

/** Those that are still there when their turn comes. */
async function* lookUp(
  db: Db,
  processId: string,
  ids: readonly number[],
  limit: number,
): AsyncGenerator<readonly ReadRow[]> {
  for (let at = 0; at < ids.length; at += limit)
    yield await tracksOf(db, processId)
      .where('track_id', 'in', ids.slice(at, at + limit))
      .execute()
}

/** Tracks that are looked at in one statement, whether they are in the window or not: SQLite works on the main thread. */
const STEP = 2_000

async function* walk(
  db: Db,
  processId: string,
  { since, until }: TrackPagesRequest,
): AsyncGenerator<readonly ReadRow[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const last: number | undefined = await lastOfStep(db, processId, after)
    yield await tracksOf(db, processId)
      .where('track_id', '>', after)
      .$if(last !== undefined, (query) => query.where('track_id', '<=', last!))
      .where('last_seen_at', '>=', since)
      .where('first_seen_at', '<', until)
      .execute()
    after = last
  }
}

/** None where fewer tracks than a step are left. */
async function lastOfStep(db: Db, processId: string, after: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('track')
    .select('track_id')
    .where('process_id', '=', processId)
    .where('track_id', '>', after)
    .orderBy('track_id')
    .offset(STEP - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.track_id
}

async function readTracks(
  db: Db,
  processId: string,
  request: TrackPagesRequest,
  rows: readonly ReadRow[],
): Promise<StoredTrack[]> {
  const ids = rows.map(({ track_id }) => track_id)
  const sightings = await readSightings(db, processId, request, rows)
  const patches = request.wantsPatches ? await listPatches(db, processId, ids) : []
  const patchOf = new Map(patches.map((patch) => [patch.track_id, patch]))
  return rows.map((row) => toStoredTrack(row, sightings.get(row.track_id)!, patchOf.get(row.track_id)))
}

function listPatches(db: Db, processId: string, ids: readonly number[]): Promise<TrackPictureRow[]> {
  return db
    .selectFrom('track_picture')
    .selectAll()
    .where('process_id', '=', processId)
    .where('track_id', 'in', ids)
    .where('role', '=', 'patch')
    .execute()
}

/** How many of these tracks, at least one, have no more sightings than a page may have. */
function fitting(rows: readonly { readonly sightings: number }[]): number {
  let sum = 0
  const over = rows.findIndex(({ sightings }) => (sum += sightings) > MAX_SIGHTINGS)
  return over < 0 ? rows.length : Math.max(1, over)
}

function toStoredTrack(row: ReadRow, seen: Sightings, patchRow: TrackPictureRow | undefined): StoredTrack {
  return {
    trackId: row.track_id,
    classId: row.class_id,
    className: row.class_name,
    box: JSON.parse(row.box) as BoxNumbers,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    firstLocation: parseOrNull<SeenLocation>(row.first_location),
    lastLocation: parseOrNull<SeenLocation>(row.last_location),
    ...seen,
    // Earlier versions kept nothing of a track without a readable picture, and no distance.
    ...(row.enhanced_at !== null && { enhanced: { ...nothingFound, ...parseOrNull<EnhancedData>(row.enhanced_data) } }),
    ...(patchRow && { patchRow }),
  }
}
