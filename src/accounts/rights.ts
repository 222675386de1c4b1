import { z } from 'zod'

const count = z.number().int().min(0).max(100_000)
const bytes = z
  .number()
  .int()
  .min(0)
  .max(2 ** 50)
const days = z.number().int().min(1).max(3650)
export const expirationDate = z.iso
  .date()
  .nullable()
  .describe('`YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever.')

/** Limits, features and expiry, under the names that the API, the command line and the table share. */
export const RightsSchema = z.strictObject({
  expiration_date: expirationDate,
  max_sources: count.describe('Sources that may be registered, and streams published at a time.'),
  max_outputs: count.describe('Outputs that may be registered.'),
  max_attached_outputs: count.describe('Outputs attached to one process at a time.'),
  max_processes: count.describe('Processes at a time.'),
  max_hls_streams: count.describe('Streams that are made into HLS at a time.'),
  max_webrtc_sessions: count.describe('Browsers that watch or publish its streams by WebRTC at a time.'),
  max_readers: count.describe('Clients that read its streams by RTSP or RTMP at a time.'),
  max_video_upload_size_bytes: bytes.describe('Largest video file.'),
  total_storage_size_bytes: bytes.describe('All uploaded video files together.'),
  track_logger: z.boolean().describe('Whether track reports are kept.'),
  enhancement: z.boolean().describe('Whether track reports may be enhanced.'),
  process_recording: z.boolean().describe('Whether processed video is recorded.'),
  recording_retention_days: days.describe('How long recordings of sources are kept.'),
  track_retention_days: days.describe(
    'How long the parts of recordings are kept in which something was tracked; at least as long as all others.',
  ),
  alert_retention_days: days.describe(
    'How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks.',
  ),
  unlimited: z
    .boolean()
    .describe('Consumption is counted but never stops anything. Only an unlimited master can give this to its keys.'),
})
export type Rights = Readonly<z.infer<typeof RightsSchema>>

const TIB = 2 ** 40
const GIB = 2 ** 30
const MIB = 2 ** 20

/** What a key may do unless it was made with other rights. */
export const defaultRights: Rights = {
  expiration_date: null,
  max_sources: 50,
  max_outputs: 50,
  max_attached_outputs: 8,
  max_processes: 4,
  max_hls_streams: 16,
  max_webrtc_sessions: 100,
  max_readers: 200,
  max_video_upload_size_bytes: 500 * MIB,
  total_storage_size_bytes: 10 * GIB,
  track_logger: true,
  enhancement: true,
  process_recording: false,
  recording_retention_days: 7,
  track_retention_days: 14,
  alert_retention_days: 30,
  unlimited: false,
}

/** The first master's: the operator's own, and as much as its children can be given. */
export const firstMasterRights: Partial<Rights> = {
  max_sources: 1000,
  max_outputs: 1000,
  max_processes: 1000,
  total_storage_size_bytes: TIB,
  // As many as there may be of all keys together.
  max_hls_streams: 64,
  max_webrtc_sessions: 500,
  max_readers: 1000,
  // Whoever runs the service pays for the machine, not for minutes.
  unlimited: true,
}
