import { z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { PageQuery } from '../core/page.ts'
import { checkTimeRange, OwnerQuery, queryFlag, queryNumber, TimeRangeQuery } from '../core/request-fields.ts'
import { type EnhancementProgress } from './enhancement.service.ts'
import { type Patch, type Report, type ReportTrack } from './report.ts'

/** The wire's shapes of track reports. */

/** Ten years: longer than anything is kept. */
const MAX_WINDOW_MINUTES = 5_256_000
export const posix = z.number().describe('POSIX time, seconds.')
export const zuluOf = (name: string) => z.string().describe(`The same as \`${name}\`, as \`YYYY-MM-DDTHH:MM:SS.mmmZ\`.`)
export const percent = z.number().min(0).max(100)

export const ReportQuery = z
  .object({
    ...OwnerQuery.shape,
    time_window_minutes: queryNumber(z.coerce.number().int().min(1).max(MAX_WINDOW_MINUTES))
      .optional()
      .describe(
        'How far back the report goes, 10 unless said otherwise: from now, or from the last frame of a process that has ended. Not with `from` or `to`.',
      ),
    ...TimeRangeQuery.shape,
    history: queryFlag.optional().describe('Adds `latlon_history`.'),
    patches: queryFlag.optional().describe('`false` leaves the pictures out.'),
    format: z
      .enum(['json', 'geojson', 'kml', 'csv', 'mot'])
      .default('json')
      .describe('Another form than the report’s own: for maps, spreadsheets, or trackers’ evaluations.'),
  })
  .superRefine(checkTimeRange)
  .superRefine(({ time_window_minutes: minutes, from, to }, context) => {
    if (minutes === undefined || (from ?? to) === undefined) return
    const message = 'Give `time_window_minutes`, or `from` and `to`, not both.'
    context.addIssue({ code: 'custom', path: ['time_window_minutes'], message })
  })
export type ReportQuery = z.infer<typeof ReportQuery>

export const Location = z.strictObject({
  latitude: z.number(),
  longitude: z.number(),
  altitude: z.number().describe('Metres above mean sea level.'),
  timestamp: posix,
})

const share = z.number().min(0).max(1).describe('From 0 to 1, unlike those of detections, which are percent.')
const Colour = z.strictObject({ name: z.string(), confidence: share })

export const EnhancedDataRecord = z
  .strictObject({
    vehicle_type: z.string().nullable(),
    color: Colour.nullable(),
    plate: z.strictObject({ text: z.string(), confidence: share }).nullable(),
    upper_color: Colour.nullable(),
    lower_color: Colour.nullable(),
    kind: z.string().nullable(),
    estimated_size_m: z
      .number()
      .nullable()
      .describe(
        'Of what flies, where its distance was measured; null where that was guessed from the usual size of its class.',
      ),
    distance_m: z
      .number()
      .nullable()
      .describe('Of what flies: from the camera, by whatever way it was found; the median over its life.'),
  })
  .describe('What can’t be told, or does not apply, is null.')

export const Patches = z.array(
  z.strictObject({ image: z.string().describe('JPEG, base64.'), confidence: percent, timestamp: posix }),
)

export const ClassName = z.string().describe('The same as `category_name`, by the name that it has everywhere else.')

/** When and where a track was first and last seen. */
export const trackSpanFields = {
  first_seen: posix,
  last_seen: posix,
  first_seen_at: zuluOf('first_seen'),
  last_seen_at: zuluOf('last_seen'),
  first_location: Location.nullable(),
  last_location: Location.nullable(),
}

export function toTrackSpanFields(
  track: Pick<ReportTrack, 'firstSeenAt' | 'lastSeenAt' | 'firstLocation' | 'lastLocation'>,
) {
  return {
    first_seen: track.firstSeenAt / 1000,
    last_seen: track.lastSeenAt / 1000,
    first_seen_at: toZulu(track.firstSeenAt),
    last_seen_at: toZulu(track.lastSeenAt),
    first_location: track.firstLocation,
    last_location: track.lastLocation,
  }
}

export const ReportTrackRecord = z.strictObject({
  track_id: z.number().int(),
  class_id: z.number().int(),
  category_name: z.string().describe('The class that it was seen as most surely over its whole life.'),
  class_name: ClassName,
  bbox: z.array(z.number()).length(4).describe('[x, y, width, height] in pixels of the input; the last one.'),
  list_confidences: z.array(percent).describe('In the window, as are the next three and the timestamps.'),
  max_confidence: percent,
  min_confidence: percent,
  mean_confidence: percent,
  image_patches: Patches.describe('The best picture of it; none when there is none, or with `patches=false`.'),
  timestamps: z.array(posix),
  is_live: z.boolean().describe('Whether it is seen now.'),
  ...trackSpanFields,
  latlon_history: z
    .array(z.array(z.number()).length(2))
    .optional()
    .describe('[latitude, longitude] in the window; only with `history=true`.'),
  enhanced_data: EnhancedDataRecord.optional().describe('Only in a report that has been enhanced.'),
})

export const TrackReport = z.strictObject({
  process_uuid: z.uuid(),
  report_time: posix.describe(
    'POSIX time, seconds: when it was asked for, or of the latest thing seen where that is later.',
  ),
  reported_at: zuluOf('report_time'),
  time_window_minutes: z.number().int().describe('How long the window is; begun minutes count.'),
  from: z.string().nullable().describe('Where the window begins; null: with the process.'),
  to: z.string().nullable().describe('What was seen before this; null: up to the latest.'),
  tracks: z.array(ReportTrackRecord),
})

const enhancementStatus = z.enum(['RUNNING', 'FINISHED', 'FAILED'])

export const TrackedProcess = z.object({
  process_uuid: z.uuid(),
  source_uuid: z.uuid(),
  alias: z.string().nullable().describe('Of the source; null once it is removed.'),
  started_at: z.string().nullable(),
  stopped_at: z.string().nullable(),
  track_count: z.number().int(),
  enhancement_status: enhancementStatus.nullable(),
  video_url: z.string().nullable().describe('The processed video, for keys with process recording; works for a day.'),
  video_urls: z.array(z.string()).describe('Every file of it: a process that was interrupted has several.'),
})

export const TrackedProcessesQuery = z.object({ ...PageQuery.shape, ...OwnerQuery.shape })
export const DeletedReport = z.object({ process_uuid: z.uuid(), deleted: z.literal(true) })

export const DecorateQuery = z.object({
  again: queryFlag.optional().describe('Does it anew also if it has been done.'),
})
export const DecoratedProcess = z.object({ process_uuid: z.uuid() })

export const EnhancementRecord = z.object({
  process_uuid: z.uuid(),
  status: enhancementStatus,
  reason: z.string().nullable().describe('Why it failed.'),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  tracks_done: z.number().int(),
  tracks_total: z.number().int(),
})

export function toPatches(patch: Patch | undefined): z.infer<typeof Patches> {
  if (!patch) return []
  return [{ image: patch.jpeg.toString('base64'), confidence: patch.confidence, timestamp: patch.takenAt / 1000 }]
}

export function toTrackedProcess(report: Report, videoUrls: readonly string[]): z.infer<typeof TrackedProcess> {
  return {
    process_uuid: report.id,
    source_uuid: report.sourceId,
    alias: report.alias,
    started_at: toZuluOrNull(report.startedAt),
    stopped_at: toZuluOrNull(report.stoppedAt),
    track_count: report.trackCount,
    enhancement_status: report.enhancement?.status ?? null,
    video_url: videoUrls[0] ?? null,
    video_urls: [...videoUrls],
  }
}

export function toEnhancementRecord(
  processId: string,
  { status, reason, startedAt, endedAt, done, total }: EnhancementProgress,
): z.infer<typeof EnhancementRecord> {
  return {
    process_uuid: processId,
    status,
    reason,
    started_at: toZulu(startedAt),
    ended_at: toZuluOrNull(endedAt),
    tracks_done: done,
    tracks_total: total,
  }
}
