import { type EnhancedData } from '../enhance/messages.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { type TrackChunkRow, type TrackPictureRow, type TrackRow } from '../storage/schema.ts'
import { type Scene } from '../core/scene.ts'
import {
  type BoxNumbers,
  type FrameBox,
  type LastFrame,
  type PlaceNumbers,
  type ReportTrack,
  type SeenLocation,
  type Window,
} from './report.ts'
import { fromList, indexesWithin, toChunk, withSightings, type WrittenTrack } from './stored-track.ts'
import { gatherSightings } from './track-sightings.ts'

/** What a process saw since the last time. */
export interface SceneBatch {
  readonly processId: string
  readonly scenes: readonly Scene[]
  readonly lastFrame: LastFrame
}

/** A stored track with the row of its patch. */
export interface StoredTrack extends Omit<ReportTrack, 'isLive' | 'patch'> {
  readonly patchRow?: TrackPictureRow
}

export interface TrackPageRequest {
  readonly window: Window
  /** Tracks with a higher id only. */
  readonly after: number
  readonly limit: number
  readonly wantsBoxes: boolean
  readonly wantsPlaces: boolean
  readonly wantsPatches: boolean
}

export interface TrackPage {
  readonly tracks: readonly StoredTrack[]
  readonly isLast: boolean
}

/** In one page, but for a single track that has more: what is read at once is parsed at once. */
const MOST_SIGHTINGS = 50_000

export interface TrackStore {
  /** One transaction for all, since each costs a wait for the disk. What has no report (any more) is left out. */
  write(batches: readonly SceneBatch[]): Promise<void>
  /** Tracks that were seen in the window, by id; some may have no sighting left. Long ones make a page shorter. */
  page(processId: string, request: TrackPageRequest): Promise<TrackPage>
}

/** As many rows as fit into one statement's parameters, in every database. */
const ROWS_A_STATEMENT = 500

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

export function createTrackStore(db: Db): TrackStore {
  return {
    async write(batches) {
      await db.transaction().execute(async (tx) => {
        const reported = await listReported(
          tx,
          batches.map(({ processId }) => processId),
        )
        for (const batch of batches) if (reported.has(batch.processId)) await writeBatch(tx, batch)
      })
    },

    async page(processId, { window, after, limit, wantsBoxes, wantsPlaces, wantsPatches }) {
      const found = await db
        .selectFrom('track')
        .select(readColumns)
        .where('process_id', '=', processId)
        .where('track_id', '>', after)
        .where('last_seen_at', '>=', window.from)
        .where('first_seen_at', '<=', window.until)
        .orderBy('track_id')
        .limit(limit)
        .execute()
      const rows = found.slice(0, fitting(found))
      const isLast = rows.length === found.length && found.length < limit
      if (rows.length === 0) return { tracks: [], isLast }
      const ids = rows.map(({ track_id }) => track_id)
      const chunks = await db
        .selectFrom('track_chunk')
        .select(['track_id', 'times', 'confidences'])
        .$if(wantsBoxes, (query) => query.select('boxes'))
        .$if(wantsPlaces, (query) => query.select('places'))
        .where('process_id', '=', processId)
        .where('track_id', 'in', ids)
        .where('last_at', '>=', window.from)
        .where('first_at', '<=', window.until)
        .orderBy('track_id')
        .orderBy('chunk')
        .execute()
      const patches = wantsPatches ? await listPatches(processId, ids) : []
      const chunksOf = groupByTrack(chunks)
      const patchOf = new Map(patches.map((patch) => [patch.track_id, patch]))
      const tracks = rows.map((row) =>
        toStoredTrack(row, chunksOf.get(row.track_id) ?? [], patchOf.get(row.track_id), window),
      )
      return { tracks, isLast }
    },
  }

  function listPatches(processId: string, ids: readonly number[]): Promise<TrackPictureRow[]> {
    return db
      .selectFrom('track_picture')
      .selectAll()
      .where('process_id', '=', processId)
      .where('track_id', 'in', ids)
      .where('role', '=', 'patch')
      .execute()
  }
}

/** How many of these tracks, at least one, have no more sightings than a page may have. */
function fitting(rows: readonly { readonly sightings: number }[]): number {
  let sum = 0
  const over = rows.findIndex(({ sightings }) => (sum += sightings) > MOST_SIGHTINGS)
  return over < 0 ? rows.length : Math.max(1, over)
}

/** Which of these processes have a report. */
export async function listReported(tx: Queryable, processIds: readonly string[]): Promise<Set<string>> {
  if (processIds.length === 0) return new Set()
  const rows = await tx
    .selectFrom('process')
    .select('id')
    .where('id', 'in', processIds)
    .where('is_reported', '=', 1)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function writeBatch(tx: Queryable, { processId, scenes, lastFrame }: SceneBatch): Promise<void> {
  const report = await tx
    .selectFrom('report')
    .select(['frames', 'track_count'])
    .where('process_id', '=', processId)
    .executeTakeFirst()
  const gathered = [...gatherSightings(scenes, report?.frames ?? 0).values()]
  let newTracks = 0
  for (let at = 0; at < gathered.length; at += ROWS_A_STATEMENT) {
    const some = gathered.slice(at, at + ROWS_A_STATEMENT)
    const known = await findTracks(
      tx,
      processId,
      some.map(({ trackId }) => trackId),
    )
    const tracks: WrittenTrack[] = []
    const chunks: TrackChunkRow[] = []
    for (const sightings of some) {
      const before = known.get(sightings.trackId)
      const after = withSightings(processId, before, sightings)
      tracks.push(after)
      chunks.push(toChunk(before, after, sightings))
      if (!before) newTracks += 1
    }
    await upsertTracks(tx, tracks)
    await appendChunks(tx, chunks)
  }
  const values = {
    frames: (report?.frames ?? 0) + scenes.length,
    track_count: (report?.track_count ?? 0) + newTracks,
    last_frame_at: Math.floor(lastFrame.takenAt),
    last_heard_at: Math.floor(lastFrame.heardAt),
  }
  await tx
    .insertInto('report')
    .values({
      process_id: processId,
      ...values,
      enhancement_status: null,
      enhancement_reason: null,
      enhancement_started_at: null,
      enhancement_ended_at: null,
    })
    .onConflict((conflict) => conflict.column('process_id').doUpdateSet(values))
    .execute()
}

async function findTracks(tx: Queryable, processId: string, ids: readonly number[]): Promise<Map<number, TrackRow>> {
  const rows = await tx
    .selectFrom('track')
    .selectAll()
    .where('process_id', '=', processId)
    .where('track_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.track_id, row]))
}

async function upsertTracks(tx: Queryable, tracks: readonly WrittenTrack[]): Promise<void> {
  await tx
    .insertInto('track')
    .values(
      tracks.map((track) => ({ ...track, enhanced_at: null, enhanced_data: null, draft_at: null, draft_data: null })),
    )
    .onConflict((conflict) =>
      conflict.columns(['process_id', 'track_id']).doUpdateSet((eb) => ({
        class_id: eb.ref('excluded.class_id'),
        class_name: eb.ref('excluded.class_name'),
        class_votes: eb.ref('excluded.class_votes'),
        sightings: eb.ref('excluded.sightings'),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        box: eb.ref('excluded.box'),
        first_location: eb.ref('excluded.first_location'),
        last_location: eb.ref('excluded.last_location'),
      })),
    )
    .execute()
}

async function appendChunks(tx: Queryable, chunks: readonly TrackChunkRow[]): Promise<void> {
  const lists = ['times', 'confidences', 'boxes', 'places', 'sizes'] as const
  await tx
    .insertInto('track_chunk')
    .values(chunks)
    .onConflict((conflict) =>
      conflict.columns(['process_id', 'track_id', 'chunk']).doUpdateSet((eb) => ({
        last_at: eb.ref('excluded.last_at'),
        ...(Object.fromEntries(
          lists.map((list) => [list, eb(eb.ref(`track_chunk.${list}`), '||', eb.ref(`excluded.${list}`))]),
        ) as Record<(typeof lists)[number], never>),
      })),
    )
    .execute()
}

type ReadChunk = Pick<TrackChunkRow, 'track_id' | 'times' | 'confidences'> &
  Partial<Pick<TrackChunkRow, 'boxes' | 'places'>>

function toStoredTrack(
  row: Pick<TrackRow, (typeof readColumns)[number]>,
  chunks: readonly ReadChunk[],
  patchRow: TrackPictureRow | undefined,
  window: Window,
): StoredTrack {
  const read = chunks.map((chunk) => readChunk(chunk, row.first_seen_at, window))
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
    ...(row.enhanced_at !== null && { enhanced: parseOrNull<EnhancedData>(row.enhanced_data) }),
    ...(patchRow && { patchRow }),
  }
}

function readChunk(chunk: ReadChunk, firstSeenAt: number, window: Window) {
  const times = fromList<number>(chunk.times).map((since) => firstSeenAt + since)
  const within = indexesWithin(times, window)
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
