/** The rows of reports: what is kept of a process's tracks. */

/** What a process's report knows beside its tracks; there from its first frame on. */
export interface ReportRow {
  process_id: string
  /** Frames that were looked at so far. */
  frames: number
  track_count: number
  /** When the last frame was taken, by the stream's clock, and when we heard of it, by ours. */
  last_frame_at: number | null
  last_heard_at: number | null
  /** Null before any enhancement. */
  enhancement_status: 'RUNNING' | 'FINISHED' | 'FAILED' | null
  enhancement_reason: string | null
  /** Also the name of the run: a job of an earlier one has nothing to do any more. */
  enhancement_started_at: number | null
  enhancement_ended_at: number | null
  /** Of all its pictures together. */
  picture_bytes: number
}

export interface TrackRow {
  process_id: string
  track_id: number
  /** The process's, so that an account's tracks are found without a look at its processes. */
  account_id: string
  source_id: string
  class_id: number
  class_name: string
  sightings: number
  /** Percent; null for what was last seen before it was kept. */
  max_confidence: number | null
  first_seen_at: number
  last_seen_at: number
  /** How long it lasts, in steps (`reports/seen-across.store.ts`). */
  span: number
  /** JSON: `[x, y, width, height]`, the last one. */
  box: string
  /** JSON: `{latitude, longitude, altitude, timestamp}`. */
  first_location: string | null
  last_location: string | null
  /** The same places, to be searched by. */
  first_latitude: number | null
  first_longitude: number | null
  last_latitude: number | null
  last_longitude: number | null
  /** Null while the enhancement has not come to it; the data stay null where nothing could be read. */
  enhanced_at: number | null
  enhanced_data: string | null
  /** Out of these data, to be searched by: the colours, each between spaces; the plate in capitals. */
  color: string | null
  plate: string | null
  /** The same of an enhancement that runs, until it is complete. */
  draft_at: number | null
  draft_data: string | null
  /** Why no picture could be read; empty where one was, null where none was needed. */
  draft_unread: string | null
}

/**
 * A piece of a track's history. The lists are JSON values, each with a comma behind it, so that the database can append
 * to them; a sighting has the same place in all of them.
 */
export interface TrackChunkRow {
  process_id: string
  track_id: number
  chunk: number
  first_at: number
  last_at: number
  /** Milliseconds since the track was first seen. */
  times: string
  /** Percent. */
  confidences: string
  /** `[frame, x, y, width, height]`; frames are counted from 1. */
  boxes: string
  /** `[latitude, longitude, altitude]`, or null. */
  places: string
  /** `[width in degrees, height in degrees, measured distance in metres or null]`, or null. */
  sizes: string
}

export interface TrackPictureRow {
  process_id: string
  track_id: number
  role: 'patch' | 'crop'
  slot: number
  /** Below the data folder. */
  file: string
  size_bytes: number
  confidence: number
  quality: number
  taken_at: number
}
