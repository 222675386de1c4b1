import { type EnhancedData, nothingTold } from '../enhance/messages.ts'
import { type Db } from '../storage/database.ts'
import { type TrackChunkRow, type TrackPictureRow, type TrackRow } from '../storage/schema.ts'
import { type BoxNumbers, type FrameBox, type PlaceNumbers, type ReportTrack, type SeenLocation } from './report.ts'
import { fromList, indexesSince } from './stored-track.ts'

/** A stored track with the row of its patch. */
export interface StoredTrack extends Omit<ReportTrack, 'isLive' | 'patch'> {
  readonly patchRow?: TrackPictureRow
}

export interface TrackPagesRequest {
  /** When the window begins. It has no end: a clock that was set back must not hide what was seen before. */
  readonly since: number
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

/** Tracks that were seen since, by id; some may have no sighting left. Long ones make a page shorter. */
export async function* readTrackPages(
  db: Db,
  processId: string,
  request: TrackPagesRequest,
): AsyncGenerator<readonly StoredTrack[]> {
  const few = await listFew(db, processId, request.since)
  for (let after = 0; ;) {
    const next = few?.filter((id) => id > after).slice(0, request.limit)
    if (next?.length === 0) return
    const found = await listRows(db, processId, request, after, next)
    const rows = found.slice(0, fitting(found))
    if (rows.length > 0) yield await readTracks(db, processId, request, rows)
    else if (!next) return
    // All of these few may have been removed meanwhile.
    after = rows.at(-1)?.track_id ?? next!.at(-1)!
  }
}

/** In a window of at most so many tracks they are looked up; in a larger one they lie close to each other. */
const FEW = 5_000

/**
 * The ids of a window that has few: by their keys they would be searched for among all tracks before them, and a process that
 * has run for weeks has hundreds of thousands.
 */
async function listFew(db: Db, processId: string, since: number): Promise<number[] | undefined> {
  const rows = await db
    .selectFrom('track')
    .select('track_id')
    .where('process_id', '=', processId)
    .where('last_seen_at', '>=', since)
    .limit(FEW + 1)
    .execute()
  if (rows.length > FEW) return undefined
  return rows.map(({ track_id }) => track_id).sort((a, b) => a - b)
}

type ReadRow = Pick<TrackRow, (typeof readColumns)[number]>

/** Those of the window after a track; or `among`, where the window has few. */
function listRows(
  db: Db,
  processId: string,
  { since, limit }: TrackPagesRequest,
  after: number,
  among: readonly number[] | undefined,
): Promise<ReadRow[]> {
  const rows = db.selectFrom('track').select(readColumns).where('process_id', '=', processId).orderBy('track_id')
  return among
    ? rows.where('track_id', 'in', among).execute()
    : rows.where('track_id', '>', after).where('last_seen_at', '>=', since).limit(limit).execute()
}

async function readTracks(
  db: Db,
  processId: string,
  { since, wantsBoxes, wantsPlaces, wantsPatches }: TrackPagesRequest,
  rows: readonly ReadRow[],
): Promise<StoredTrack[]> {
  const ids = rows.map(({ track_id }) => track_id)
  const chunks = await db
    .selectFrom('track_chunk')
    .select(['track_id', 'times', 'confidences'])
    .$if(wantsBoxes, (query) => query.select('boxes'))
    .$if(wantsPlaces, (query) => query.select('places'))
    .where('process_id', '=', processId)
    .where('track_id', 'in', ids)
    // A sum, so that these few are not looked for by the index of times: that would sort the whole window for each page.
    .where((eb) => eb(eb('last_at', '+', 0), '>=', since))
    .orderBy('track_id')
    .orderBy('chunk')
    .execute()
  const patches = wantsPatches ? await listPatches(db, processId, ids) : []
  const chunksOf = groupByTrack(chunks)
  const patchOf = new Map(patches.map((patch) => [patch.track_id, patch]))
  return rows.map((row) => toStoredTrack(row, chunksOf.get(row.track_id) ?? [], patchOf.get(row.track_id), since))
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

type ReadChunk = Pick<TrackChunkRow, 'track_id' | 'times' | 'confidences'> &
  Partial<Pick<TrackChunkRow, 'boxes' | 'places'>>

function toStoredTrack(
  row: ReadRow,
  chunks: readonly ReadChunk[],
  patchRow: TrackPictureRow | undefined,
  since: number,
): StoredTrack {
  const read = chunks.map((chunk) => readChunk(chunk, row.first_seen_at, since))
  return {
    trackId: row.track_id,
    classId: row.class_id,
    className: row.class_name,
    box: JSON.parse(row.box) as BoxNumbers,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    firstLocation: parseOrNull<SeenLocation>(row.first_location),
    lastLocation: parseOrNull<SeenLocation>(row.last_location),
    times: joined(read, 'times'),
    confidences: joined(read, 'confidences'),
    boxes: joined(read, 'boxes'),
    places: joined(read, 'places'),
    // Earlier versions kept nothing of a track without a readable picture, and no distance.
    ...(row.enhanced_at !== null && { enhanced: { ...nothingTold, ...parseOrNull<EnhancedData>(row.enhanced_data) } }),
    ...(patchRow && { patchRow }),
  }
}

function readChunk(chunk: ReadChunk, firstSeenAt: number, since: number) {
  const times = fromList<number>(chunk.times).map((offset) => firstSeenAt + offset)
  const within = indexesSince(times, since)
  const pick = <T>(values: T[]) => (within === 'all' ? values : within.map((index) => values[index]!))
  return {
    times: pick(times),
    confidences: pick(fromList<number>(chunk.confidences)),
    boxes: chunk.boxes === undefined ? [] : pick(fromList<FrameBox>(chunk.boxes)),
    places: chunk.places === undefined ? [] : pick(fromList<PlaceNumbers | null>(chunk.places)),
  }
}

type ChunkLists = ReturnType<typeof readChunk>

/** Most tracks have one chunk, whose lists need no copy. */
function joined<Name extends keyof ChunkLists>(chunks: readonly ChunkLists[], name: Name): ChunkLists[Name] {
  if (chunks.length === 1) return chunks[0]![name]
  return ([] as unknown[]).concat(...chunks.map((chunk) => chunk[name])) as ChunkLists[Name]
}

function parseOrNull<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}

function groupByTrack(chunks: readonly ReadChunk[]): Map<number, ReadChunk[]> {
  const groups = new Map<number, ReadChunk[]>()
  for (const chunk of chunks) {
    const group = groups.get(chunk.track_id)
    if (group) group.push(chunk)
    else groups.set(chunk.track_id, [chunk])
  }
  return groups
}
