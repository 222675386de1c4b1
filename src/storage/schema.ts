import { type ProcessState } from '../core/process-facts.ts'
import { type AlertChannelRow, type AlertRow, type AlertSequenceRow, type AlertSourceRow } from './alert-rows.ts'
import { type PreferenceRow, type SeenMarkRow, type SeenUntilRow, type UsageHourRow } from './console-rows.ts'
import { type ContactDeviceRow, type ContactRow } from './contact-rows.ts'
import { type LivePathRow, type NodeRow, type ServiceSecretRow } from './node-rows.ts'
import {
  type AlertEventRow,
  type ClipRow,
  type DetectionFileRow,
  type ProcessStateChangeRow,
  type RecordingRow,
  type RecordingSegmentRow,
} from './recorded-rows.ts'
import { type ReportRow, type TrackChunkRow, type TrackPictureRow, type TrackRow } from './report-rows.ts'

export type { AlertChannelRow, AlertRow, AlertSequenceRow, AlertSourceRow } from './alert-rows.ts'
export type { PreferenceRow, SeenMarkRow, SeenUntilRow, UsageHourRow } from './console-rows.ts'
export type { ContactDeviceRow, ContactRow } from './contact-rows.ts'
export type { LivePathRow, NodeRow, ServiceSecretRow } from './node-rows.ts'
export type {
  AlertEventRow,
  ClipRow,
  DetectionFileRow,
  ProcessStateChangeRow,
  RecordingRow,
  RecordingSegmentRow,
} from './recorded-rows.ts'
export type { ReportRow, TrackChunkRow, TrackPictureRow, TrackRow } from './report-rows.ts'

/**
 * The tables, as the code sees them. Times are milliseconds since the epoch, flags are 0 or 1, and JSON is
 * text, so that a row is the same in SQLite and in PostgreSQL, and in a backup.
 */
export interface Tables {
  account: AccountRow
  ledger_entry: LedgerEntryRow
  charge: ChargeRow
  job: JobRow
  source: SourceRow
  source_token: SourceTokenRow
  source_right: SourceRightRow
  recording: RecordingRow
  recording_segment: RecordingSegmentRow
  detection_file: DetectionFileRow
  clip: ClipRow
  process: ProcessRow
  process_state_change: ProcessStateChangeRow
  output: OutputRow
  report: ReportRow
  track: TrackRow
  track_chunk: TrackChunkRow
  track_picture: TrackPictureRow
  delivery: DeliveryRow
  webhook_subscription: WebhookSubscriptionRow
  alert: AlertRow
  alert_source: AlertSourceRow
  alert_sequence: AlertSequenceRow
  alert_channel: AlertChannelRow
  alert_event: AlertEventRow
  contact: ContactRow
  contact_device: ContactDeviceRow
  session: SessionRow
  service_secret: ServiceSecretRow
  node: NodeRow
  live_path: LivePathRow
  stored_file: StoredFileRow
  preference: PreferenceRow
  seen_mark: SeenMarkRow
  seen_until: SeenUntilRow
  usage_hour: UsageHourRow
}

/** What a backup carries, in an order in which rows can be inserted: a table stands after those that it refers to. */
export const tableNames = [
  'account',
  'ledger_entry',
  'charge',
  'job',
  'source',
  'source_token',
  'source_right',
  'recording',
  'recording_segment',
  'detection_file',
  'clip',
  'process',
  'process_state_change',
  'output',
  'report',
  'track',
  'track_chunk',
  'track_picture',
  'delivery',
  'webhook_subscription',
  'alert',
  'alert_source',
  'alert_sequence',
  'alert_channel',
  'alert_event',
  'contact',
  'contact_device',
  'session',
  'service_secret',
  'stored_file',
  'preference',
  'seen_mark',
  'seen_until',
  'usage_hour',
] as const satisfies readonly (keyof Tables)[]

/** What is true only while nodes run: worth nothing in a backup, and gone with what a restore replaces. */
export const momentaryTableNames = ['node', 'live_path'] as const satisfies readonly (keyof Tables)[]

export interface AccountRow {
  id: string
  /** Of a purged key whose name was given again: one that nobody can choose. */
  username: string
  /** Null for a master. */
  master_id: string | null
  /** Null once the key is revoked. */
  key_sha256: string | null
  /** What RTSP Digest authentication is checked against (RFC 2617 §3.2.2.2), for the realm `aerie`. */
  key_ha1: string | null
  expiration_date: string | null
  max_sources: number
  max_outputs: number
  max_attached_outputs: number
  max_processes: number
  max_hls_streams: number
  max_webrtc_sessions: number
  max_readers: number
  max_video_upload_size_bytes: number
  total_storage_size_bytes: number
  track_logger: number
  enhancement: number
  process_recording: number
  recording_retention_days: number
  /** Of recordings in which something was seen, and of those with an alert: at least as long as the one before. */
  track_retention_days: number
  alert_retention_days: number
  /** Whether it uses and gives minutes without having them. */
  unlimited: number
  /** The three sums over the account's ledger entries and charges. */
  remaining_seconds: number
  consumed_seconds: number
  pending_seconds: number
  /** Of what was consumed: what was used while it was unlimited, and so not taken from what remains. */
  unlimited_seconds: number
  /** What its charges have beyond whole seconds, all of them together: 0…999, charged once it makes a second. */
  uncharged_ms: number
  created_at: number
  revoked_at: number | null
  /** When all that a revoked key had stored was gone. */
  purged_at: number | null
}

export interface LedgerEntryRow {
  id: string
  account_id: string
  kind: 'grant' | 'allocation' | 'return'
  remaining_delta: number
  pending_delta: number
  created_at: number
}

/** A meter that only counts up: for how long one run of one thing has gone on so far. */
export interface ChargeRow {
  id: string
  account_id: string
  milliseconds: number
  updated_at: number
}

export interface JobRow {
  id: string
  kind: string
  /** At most one waiting or running job of a kind has this key; null for no such rule. */
  unique_key: string | null
  payload: string
  state: 'waiting' | 'running' | 'dead'
  /** Of a dead one, when it died. */
  run_at: number
  attempts: number
  /** While running: the time until which the runner has it to itself. */
  lease_until: number | null
  lease_owner: string | null
  last_error: string | null
  created_at: number
  /** The only node that may do it; null for any. */
  node_id: string | null
}

export interface SourceRow {
  id: string
  account_id: string
  alias: string
  type: 'file' | 'stream'
  /** With its password, since we must dial it; masked wherever it is shown. A file's own name for files. */
  input_url: string
  stream_type: 'rtmp' | 'rtsp' | null
  telemetry_cfg: string | null
  /** The path on our own media server, where it is published, or where we publish the camera that we call. Null for files. */
  media_path: string | null
  /** 1 when we call it: `input_url` leads elsewhere. */
  is_pulled: number
  /** 1 when its stream is to be kept: its mode is not `off`. */
  record: number
  recording_mode: 'always' | 'events' | 'off'
  /** JSON: a list, of `events` the classes that count; null for all. */
  recording_classes: string | null
  size_bytes: number
  video: string | null
  /** The same for the same source registered again. */
  fingerprint: string
  created_at: number
  /** Of files: what is in it, and where it is below the folder of videos. Sources of one account share a file. */
  content_sha256: string | null
  file: string | null
  /** The node that calls the camera, or has the file; null in a service of one node. */
  node_id: string | null
  /** Of that node, when it was given to it. */
  node_epoch: number | null
}

export interface SourceTokenRow {
  id: string
  source_id: string
  action: 'publish' | 'read'
  sha256: string
  ha1: string
  expires_at: number | null
  created_at: number
}

/** What an account may do with a source of another one. Goes with the source. */
export interface SourceRightRow {
  account_id: string
  source_id: string
  /** JSON: a list of `SourceRight`. */
  rights: string
  created_at: number
}

/** Stays when its source is removed, until retention takes it. */
export interface ProcessRow {
  id: string
  account_id: string
  source_id: string
  /** What it was started on, with the password; masked wherever it is shown. */
  source_url: string
  source_type: 'file' | 'stream'
  state: ProcessState
  options: string
  created_at: number
  started_at: number | null
  stopped_at: number | null
  stop_reason: string | null
  error: string | null
  restarts: number
  /** The highest id that a track may have had by the time of the last write. */
  last_track_id: number
  consumed_ms: number
  /** The last figures, once it has ended. */
  stats: string | null
  /** It has a track report: its account had the track logger when it started, and nobody has deleted the report since. */
  is_reported: number
  /** The node that runs it, or does what is left of it to be done; null in a service of one node. */
  node_id: string | null
  /** Of that node, when it was given to it. */
  node_epoch: number | null
  /** JSON: which nodes may have it, as was asked for; null for any. */
  placement: string | null
}

export interface OutputRow {
  id: string
  account_id: string
  alias: string
  /** `rtsp`, `rtmp`, …: one of the kinds of outputs. */
  type: string
  /** With its password, since we must dial it; empty for the websockets. */
  url: string
  /** Of an RTSP output: its path on our media server. */
  media_path: string | null
  /** `360p`, `720p`, `1080p`; empty for the input's own resolution. */
  settings: string
  /** The process that it is attached to. */
  process_id: string | null
  created_at: number
}

/** A message on its way out. What is settled stays for a while, to be listed. */
export interface DeliveryRow {
  id: string
  /** Messages of a channel leave in this order. */
  position: number
  /** What keeps its order: a subscription, or an alert's output. */
  channel: string
  account_id: string
  /** JSON, with passwords and secrets, since we must send them. */
  destination: string
  /** Empty once nobody can want it any more. */
  body: string
  size_bytes: number
  state: 'waiting' | 'delivered' | 'dead' | 'dropped'
  attempts: number
  /** What the last attempt came to. */
  error: string | null
  created_at: number
  /** An attempt that fails after this time was the last one. */
  expires_at: number
  settled_at: number | null
  /** At least so long between the receiver's answer to this one and the next of its channel. */
  spacing_ms: number
  /** When it last set out; null where it has not left yet. Written only of what is spaced. */
  attempted_at: number | null
  /** What it is about: that process's node sends it. Null where an older version wrote it and could not say. */
  process_id: string | null
  /** The receiver's answer to the last attempt, where it gave one by HTTP, and how long that attempt took. */
  last_status: number | null
  took_ms: number | null
}

/** Stays for a while when its process has ended, so that its deliveries can be listed. */
export interface WebhookSubscriptionRow {
  id: string
  account_id: string
  process_id: string
  /** With its password; masked wherever it is shown. */
  notification_url: string
  event_type: string
  notification_format: 'simple' | 'full'
  backoff_ms: number
  auth_url: string | null
  /** What notifications are signed with. */
  secret: string
  /** JSON: what was sent so far, and what was gathered and is still to be sent. */
  progress: string
  created_at: number
  ended_at: number | null
}

/** A browser that is signed in. */
export interface SessionRow {
  secret_sha256: string
  /** Of the key by which it signed in; fits no account once that is replaced or revoked. */
  key_sha256: string
  created_at: number
  expires_at: number
}

/** A file that is in the object store, or waits to be put there. */
export interface StoredFileRow {
  /** Below the data folder. */
  file: string
  /** The file's. */
  folder: string
  /** What it is of: the first part of its folder. */
  kind: string
  account_id: string
  /** On whose disk it is; null in a service of one node. */
  node_id: string | null
  /** Below the prefix of the store. Another one for each file that is put, so that a late removal never meets a new file. */
  object_key: string
  size_bytes: number
  place: 'disk' | 'store' | 'both'
  /** Since when it is on the disk; those that have been there longest go first. */
  local_at: number
  /** Put again not before this time, where it could not be. */
  retry_at: number
}
