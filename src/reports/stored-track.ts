import { type TrackChunkRow, type TrackRow } from '../storage/schema.ts'
import { spanOf } from './seen-across.store.ts'
import { type TrackSightings } from './track-sightings.ts'

/** After this many sightings a track's history goes on in another row, so that appending stays cheap. */
const CHUNK_SIGHTINGS = 128

/** What stays of a track when its sightings are written: all but the enhancement's columns. */
export type WrittenTrack = Omit<
  TrackRow,
  'enhanced_at' | 'enhanced_data' | 'color' | 'plate' | 'draft_at' | 'draft_data' | 'draft_unread'
>

/** Whose tracks these are. */
export interface TrackOwner {
  readonly processId: string
  readonly accountId: string
  readonly sourceId: string
}

/** The row of a track after a few more sightings. */
export function withSightings(
  { processId, accountId, sourceId }: TrackOwner,
  before: WrittenTrack | undefined,
  sightings: TrackSightings,
): WrittenTrack {
  const { firstLocation, lastLocation, times, confidences } = sightings
  const firstSeenAt = before?.first_seen_at ?? times[0]!
  const lastSeenAt = times.reduce((max, time) => Math.max(max, time), before?.last_seen_at ?? -Infinity)
  return {
    process_id: processId,
    track_id: sightings.trackId,
    account_id: accountId,
    source_id: sourceId,
    class_id: sightings.classId,
    class_name: sightings.className,
    sightings: (before?.sightings ?? 0) + times.length,
    max_confidence: confidences.reduce((max, one) => Math.max(max, one), before?.max_confidence ?? 0),
    first_seen_at: firstSeenAt,
    last_seen_at: lastSeenAt,
    span: spanOf(lastSeenAt - firstSeenAt),
    box: JSON.stringify(sightings.box),
    first_location: before?.first_location ?? toJson(firstLocation),
    last_location: toJson(lastLocation) ?? before?.last_location ?? null,
    first_latitude: before?.first_latitude ?? firstLocation?.latitude ?? null,
    first_longitude: before?.first_longitude ?? firstLocation?.longitude ?? null,
    last_latitude: lastLocation?.latitude ?? before?.last_latitude ?? null,
    last_longitude: lastLocation?.longitude ?? before?.last_longitude ?? null,
  }
}

const toJson = (value: object | null) => (value === null ? null : JSON.stringify(value))

/** The sightings as a chunk, or as what is appended to one that is there. */
export function toChunk(
  before: WrittenTrack | undefined,
  after: WrittenTrack,
  sightings: TrackSightings,
): TrackChunkRow {
  const { times, confidences, boxes, places, sizes } = sightings
  return {
    process_id: after.process_id,
    track_id: after.track_id,
    chunk: Math.floor((before?.sightings ?? 0) / CHUNK_SIGHTINGS),
    first_at: times.reduce((min, time) => Math.min(min, time)),
    last_at: times.reduce((max, time) => Math.max(max, time)),
    times: toList(times.map((time) => time - after.first_seen_at)),
    confidences: toList(confidences),
    boxes: toList(boxes),
    places: toList(places),
    sizes: toList(sizes),
  }
}

function toList(values: readonly unknown[]): string {
  return `${JSON.stringify(values).slice(1, -1)},`
}

export function fromList<T>(list: string): T[] {
  return JSON.parse(`[${list.slice(0, -1)}]`) as T[]
}

/** The places in `times` that lie in a window. Frames come in order, but a clock may have been set back. */
export function indexesWithin(times: readonly number[], since: number, until: number): number[] | 'all' {
  const isWithin = (time: number) => time >= since && time < until
  // Nearly always.
  if (times.every(isWithin)) return 'all'
  return times.flatMap((time, index) => (isWithin(time) ? [index] : []))
}
