import { type Db, type Queryable } from '../storage/database.ts'
import { inBatches } from '../storage/queries.ts'
import { type TrackChunkRow, type TrackRow } from '../storage/schema.ts'
import { type Scene } from '../core/scene.ts'
import { type LastFrame } from './report.ts'
import { toChunk, type TrackOwner, withSightings, type WrittenTrack } from './stored-track.ts'
import { readTrackPages, type StoredTrack, type TrackPagesRequest, type TracksOfProcess } from './track-pages.store.ts'
import { gatherSightings } from './track-sightings.ts'

/** What a process saw since the last time. */
export interface SceneBatch {
  readonly processId: string
  readonly scenes: readonly Scene[]
  readonly lastFrame: LastFrame
}

export interface TrackStore {
  /** One transaction for all, since each costs a wait for the disk. What has no report (any more) is left out. */
  write(batches: readonly SceneBatch[]): Promise<void>
  /** In pages, so that a large report is never in memory as a whole. */
  pages(process: TracksOfProcess, request: TrackPagesRequest): AsyncIterable<readonly StoredTrack[]>
}

export function createTrackStore(db: Db): TrackStore {
  return {
    async write(batches) {
      await db.transaction().execute(async (tx) => {
        const reported = await listReported(
          tx,
          batches.map(({ processId }) => processId),
        )
        for (const batch of batches) {
          const owner = reported.get(batch.processId)
          if (owner) await writeBatch(tx, owner, batch)
        }
      })
    },

    pages: (process, request) => readTrackPages(db, process, request),
  }
}

/** The row of a report before anything is noted in it. */
export function emptyReport(processId: string) {
  return {
    process_id: processId,
    frames: 0,
    track_count: 0,
    picture_bytes: 0,
    last_frame_at: null,
    last_heard_at: null,
    enhancement_status: null,
    enhancement_reason: null,
    enhancement_started_at: null,
    enhancement_ended_at: null,
  }
}

/** Those of these processes that have a report, by their ids. */
export async function listReported(tx: Queryable, processIds: readonly string[]): Promise<Map<string, TrackOwner>> {
  if (processIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('process')
    .select(['id as processId', 'account_id as accountId', 'source_id as sourceId'])
    .where('id', 'in', processIds)
    .where('is_reported', '=', 1)
    .execute()
  return new Map(rows.map((row) => [row.processId, row]))
}

async function writeBatch(
  tx: Queryable,
  owner: TrackOwner,
  { processId, scenes, lastFrame }: SceneBatch,
): Promise<void> {
  const report = await tx
    .selectFrom('report')
    .select(['frames', 'track_count'])
    .where('process_id', '=', processId)
    .executeTakeFirst()
  const gathered = [...gatherSightings(scenes, report?.frames ?? 0).values()]
  let newTracks = 0
  for (const some of inBatches(gathered)) {
    const known = await findTracks(
      tx,
      processId,
      some.map(({ trackId }) => trackId),
    )
    const tracks: WrittenTrack[] = []
    const chunks: TrackChunkRow[] = []
    for (const sightings of some) {
      const before = known.get(sightings.trackId)
      const after = withSightings(owner, before, sightings)
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
    .values({ ...emptyReport(processId), ...values })
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

const notEnhanced = {
  enhanced_at: null,
  enhanced_data: null,
  color: null,
  plate: null,
  draft_at: null,
  draft_data: null,
  draft_unread: null,
}

async function upsertTracks(tx: Queryable, tracks: readonly WrittenTrack[]): Promise<void> {
  await tx
    .insertInto('track')
    .values(tracks.map((track) => ({ ...track, ...notEnhanced })))
    .onConflict((conflict) =>
      conflict.columns(['process_id', 'track_id']).doUpdateSet((eb) => ({
        class_id: eb.ref('excluded.class_id'),
        class_name: eb.ref('excluded.class_name'),
        sightings: eb.ref('excluded.sightings'),
        max_confidence: eb.ref('excluded.max_confidence'),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        span: eb.ref('excluded.span'),
        box: eb.ref('excluded.box'),
        first_location: eb.ref('excluded.first_location'),
        last_location: eb.ref('excluded.last_location'),
        first_latitude: eb.ref('excluded.first_latitude'),
        first_longitude: eb.ref('excluded.first_longitude'),
        last_latitude: eb.ref('excluded.last_latitude'),
        last_longitude: eb.ref('excluded.last_longitude'),
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
        // A clock that is set back puts later sightings before earlier ones.
        first_at: eb
          .case()
          .when('excluded.first_at', '<', eb.ref('track_chunk.first_at'))
          .then(eb.ref('excluded.first_at'))
          .else(eb.ref('track_chunk.first_at'))
          .end(),
        last_at: eb
          .case()
          .when('excluded.last_at', '>', eb.ref('track_chunk.last_at'))
          .then(eb.ref('excluded.last_at'))
          .else(eb.ref('track_chunk.last_at'))
          .end(),
        ...(Object.fromEntries(
          lists.map((list) => [list, eb(eb.ref(`track_chunk.${list}`), '||', eb.ref(`excluded.${list}`))]),
        ) as Record<(typeof lists)[number], never>),
      })),
    )
    .execute()
}
