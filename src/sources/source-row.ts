import { isRecorded, type RecordingMode } from '../core/recording-mode.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { parseOrNull } from '../storage/queries.ts'
import { type SourceRow } from '../storage/schema.ts'
import { type Source, type VideoInfo } from './source.ts'

export function toSource(row: SourceRow): Source {
  return {
    id: row.id,
    accountId: row.account_id,
    alias: row.alias,
    type: row.type,
    inputUrl: row.input_url,
    streamType: row.stream_type,
    telemetryCfg: parseOrNull<TelemetryCfg>(row.telemetry_cfg),
    mediaPath: row.media_path,
    isPulled: row.is_pulled === 1,
    recordingMode: modeOf(row),
    recordingClasses: parseOrNull<string[]>(row.recording_classes),
    sizeBytes: row.size_bytes,
    video: parseOrNull<VideoInfo>(row.video),
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    contentSha256: row.content_sha256,
    file: row.file,
  }
}

export function toRow(source: Source): Omit<SourceRow, 'node_id' | 'node_epoch'> {
  return {
    ...changeableColumns(source),
    id: source.id,
    account_id: source.accountId,
    type: source.type,
    size_bytes: source.sizeBytes,
    video: source.video && JSON.stringify(source.video),
    created_at: source.createdAt,
    content_sha256: source.contentSha256,
    file: source.file,
  }
}

/** Without the video, which recorders write at any time and without a lock: a change must not undo that. */
export function changeableColumns(source: Source) {
  return {
    alias: source.alias,
    input_url: source.inputUrl,
    stream_type: source.streamType,
    telemetry_cfg: source.telemetryCfg && JSON.stringify(source.telemetryCfg),
    media_path: source.mediaPath,
    is_pulled: Number(source.isPulled),
    record: Number(isRecorded(source)),
    recording_mode: source.recordingMode,
    recording_classes: source.recordingClasses && JSON.stringify(source.recordingClasses),
    fingerprint: source.fingerprint,
  }
}

/** An older version, which another node may still run, reads and writes `record` alone. */
function modeOf({ record, recording_mode: mode }: SourceRow): RecordingMode {
  if (record === 0) return 'off'
  return mode === 'off' ? 'always' : mode
}
