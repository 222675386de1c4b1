import { type Importance } from '../core/importance.ts'
import { type ProcessState } from '../core/process-facts.ts'

/** The rows of what is kept of streams: recordings, what was seen in them, clips and alert events. */

/** Stays when its source is removed, until retention takes it. */
export interface RecordingRow {
  id: string
  account_id: string
  source_id: string
  alias: string
  started_at: number
  /** Null while it goes on. */
  ended_at: number | null
  /** The node that has its files; null in a service of one node. */
  node_id: string | null
}

export interface RecordingSegmentRow {
  id: string
  recording_id: string
  /** Of the recording. */
  account_id: string
  /** Below the data folder. */
  file: string
  started_at: number
  /** Null while it is being written. */
  duration_ms: number | null
  size_bytes: number
  /** Between the one before it and this one. Null where nobody was there to measure it. */
  gap_ms: number | null
  /** Of the recording. */
  source_id: string
  importance: Importance
  /** Of a source that is recorded by event: when it goes unless it is of importance by then. Null where it stays. */
  rest_until: number | null
  /** JSON: a `FragmentIndex`; null while it is written, and where an older version wrote it. */
  fragments: string | null
}

/** A file of what a process saw, an hour at most. */
export interface DetectionFileRow {
  id: string
  account_id: string
  source_id: string
  process_id: string
  /** The node that has it; null in a service of one node. */
  node_id: string | null
  /** Below the data folder. */
  file: string
  /** When its first look was taken, and its last one so far. */
  started_at: number
  ended_at: number
  /** 1 while it is written. */
  is_open: number
  looks: number
  size_bytes: number
  /** JSON: how many tracks of each class there were in each minute. */
  minutes: string
}

/** A process came into a state. Kept for as long as what it saw. */
export interface ProcessStateChangeRow {
  process_id: string
  at: number
  account_id: string
  source_id: string
  state: ProcessState
  reason: string | null
}

/** What an alert notified of. Stays when alert, process or source are removed, until retention takes it. */
export interface AlertEventRow {
  id: string
  account_id: string
  source_id: string
  process_id: string
  alert_id: string
  /** The alert's, at that time. */
  alias: string
  type: string
  event: string
  /** By the stream's clock. */
  at: number
  /** When that began which has ended; of all others the same as `at`. */
  started_at: number
  sequence: number
  /** JSON, as in the notification. */
  data: string
  /** Its picture, below the data folder; null where there is none. */
  file: string | null
  size_bytes: number
  /** JSON: a list, the classes of the tracks that it is about; null where an older version wrote it. */
  classes: string | null
}

/** What somebody has cut out of recordings, or will have. Its files are named after it. */
export interface ClipRow {
  id: string
  account_id: string
  source_id: string
  /** What it is of, where not of a stretch of the source alone. */
  process_id: string | null
  track_id: number | null
  event_id: string | null
  alias: string
  /** `link`: made since somebody has opened a link to it, and made again when it is gone. */
  kind: 'user' | 'link'
  /** Of a link's: there is one of each. */
  unique_key: string | null
  from_at: number
  to_at: number
  with_boxes: number
  state: 'waiting' | 'working' | 'ready' | 'failed'
  /** 0…100. */
  progress: number
  error: string | null
  note: string | null
  /** JSON: a list. */
  parts: string
  gaps: string
  /** While it is cut: an estimate, which is held for it. */
  size_bytes: number
  /** The node that cuts it, and has its files; null in a service of one node. */
  node_id: string | null
  /** How often cutting it has begun. */
  attempts: number
  created_at: number
  started_at: number | null
  finished_at: number | null
  /** Of a link's: when it was last opened. */
  used_at: number | null
}
