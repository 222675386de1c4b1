import { z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { PageQuery } from '../core/page.ts'
import { gapBefore, MIN_GAP_MS } from '../core/recorded-gaps.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { type RecordingWithSegments } from './recordings.store.ts'

/** The wire's shapes of recordings. */

export const RecordingsQuery = z.object({
  ...PageQuery.shape,
  ...OwnerQuery.shape,
  source_uuid: z.uuid().optional(),
})

export const RecordingRecord = z.object({
  recording_uuid: z.uuid(),
  source_uuid: z.uuid(),
  alias: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable().describe('null while it goes on'),
  duration_seconds: z.number().describe('Of the files that are complete: while it goes on, without the newest.'),
  size_bytes: z.number().int(),
  gaps: z.array(z.object({ start: z.string(), duration_seconds: z.number() })),
  segments: z.array(
    z.object({
      start: z.string(),
      duration_seconds: z
        .number()
        .nullable()
        .describe('null while it is being written, and where the file cannot be read'),
      size_bytes: z.number().int(),
      download_url: z.string(),
    }),
  ),
})

export function toRecordingRecord(
  recording: RecordingWithSegments,
  downloadUrl: (segmentId: string) => string,
): z.infer<typeof RecordingRecord> {
  const { segments } = recording
  const totalMs = segments.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  const gaps = segments.slice(1).flatMap((segment, index) => {
    const before = segments[index]!
    const endedAt = before.startedAt + (before.durationMs ?? 0)
    const gapMs = gapBefore(segment, endedAt)
    return before.durationMs !== null && gapMs >= MIN_GAP_MS
      ? [{ start: toZulu(endedAt), duration_seconds: gapMs / 1000 }]
      : []
  })
  return {
    recording_uuid: recording.id,
    source_uuid: recording.sourceId,
    alias: recording.alias,
    started_at: toZulu(segments[0]?.startedAt ?? recording.startedAt),
    ended_at: toZuluOrNull(recording.endedAt),
    duration_seconds: totalMs / 1000,
    size_bytes: segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    gaps,
    segments: segments.map(({ id, startedAt, durationMs, sizeBytes }) => ({
      start: toZulu(startedAt),
      duration_seconds: durationMs === null ? null : durationMs / 1000,
      size_bytes: sizeBytes,
      download_url: downloadUrl(id),
    })),
  }
}
