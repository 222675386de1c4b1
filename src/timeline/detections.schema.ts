import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { DetectionTrack, toDetectionTrack } from '../core/detection-track.ts'
import { type GeoPoint } from '../core/geo-point.ts'
import { rounded } from '../core/numbers.ts'
import { type RecordedTrack } from '../core/recorded-look.ts'
import { checkTimeRange, OwnerQuery, queryFlag, queryNumber, TimeRangeQuery } from '../core/request-fields.ts'
import { type LookOfProcess } from './detection-reader.ts'

/** The wire's shapes of what was seen. */

export const BySource = z.object({ source_uuid: z.uuid() })

export const DetectionsQuery = z
  .object({
    ...OwnerQuery.shape,
    from: TimeRangeQuery.shape.from.describe('Default: a minute before `to`.'),
    to: TimeRangeQuery.shape.to.describe('Default: now. At most an hour after `from`.'),
    process_uuid: z.uuid().optional().describe('Only what this process saw.'),
    tracks: queryFlag.default(true).describe('`false` leaves `active_tracks` empty: for the path of a camera.'),
    every_seconds: queryNumber(z.coerce.number().min(0.1).max(3600).optional()).describe(
      'Of each process one look, and then the first that is so much later. Default: all.',
    ),
  })
  .superRefine(checkTimeRange)

/** The live message's names, so that one drawing fits both. */
export const RecordedDetection = z.object({
  timestamp: z.string().describe('When the frame was taken, UTC.'),
  process_uuid: z.uuid(),
  frame: z.object({ width: z.number().int(), height: z.number().int() }),
  active_tracks: z.array(
    DetectionTrack.pick({
      track_id: true,
      class_id: true,
      class_name: true,
      bbox: true,
      scaled_bbox: true,
      confidence: true,
      latitude: true,
      longitude: true,
      altitude: true,
    }),
  ),
  camera: z
    .object({
      latitude: z.number(),
      longitude: z.number(),
      altitude: z.number().describe('Metres above mean sea level.'),
      heading: z.number().describe('Degrees from north.'),
    })
    .optional()
    .describe('With telemetry that tells the whole pose.'),
})
export type RecordedDetection = z.infer<typeof RecordedDetection>

export const ByDetectionFile = z.object({ detection_file_uuid: z.uuid() })
export const DetectionFileQuery = z.object({ token: z.string().max(200).default('') })

export function toRecordedDetection({ processId, look }: LookOfProcess): RecordedDetection {
  const { takenAtMs, width, height, tracks, camera } = look
  return {
    timestamp: toZulu(takenAtMs),
    process_uuid: processId,
    frame: { width, height },
    active_tracks: tracks.map((track) => toTrack(track, { width, height })),
    ...(camera && { camera: { ...toPlace(camera.point), heading: rounded(camera.headingDeg, 2) % 360 } }),
  }
}

function toTrack(
  { point, ...track }: RecordedTrack,
  frame: RecordedDetection['frame'],
): RecordedDetection['active_tracks'][number] {
  return { ...toDetectionTrack(track, frame), ...(point && toPlace(point)) }
}

function toPlace({ latitudeDeg, longitudeDeg, altitudeM }: GeoPoint) {
  return {
    latitude: rounded(latitudeDeg, 6),
    longitude: rounded(longitudeDeg, 6),
    altitude: rounded(altitudeM, 1),
  }
}
