import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { toLocationFields } from '../core/location-fields.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { rounded } from '../core/rounded.ts'
import { type Scene, type SceneTrack } from '../core/scene.ts'
import { type Process } from './process.ts'

const four = z.array(z.number()).length(4)

export const DetectionTrack = z.object({
  track_id: z.number().int().describe('0 when tracking is off; never used twice in a process.'),
  class_id: z.number().int(),
  class_name: z.string(),
  bbox: four.describe('[x, y, width, height] in pixels of the input.'),
  scaled_bbox: four.describe('The same as fractions of the input’s width and height.'),
  confidence: z.number().describe('0 to 100.'),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  altitude: z.number().optional().describe('Metres above mean sea level.'),
  distance: z.number().optional().describe('Metres from the camera.'),
  azimuth: z.number().optional().describe('Degrees from the optical axis, positive to the right.'),
  elevation: z.number().optional().describe('Degrees from the optical axis, positive up.'),
  position_error_m: z.number().optional().describe('One standard deviation.'),
  position_source: z.enum(['ground', 'terrain', 'size', 'laser']).optional().describe('How the distance was found.'),
  ground_speed: z.number().optional().describe('Metres a second.'),
  course: z.number().optional().describe('Degrees from north; not while it stands.'),
  telemetry_age_ms: z.number().optional().describe('Of the oldest value that was used.'),
})

/** One message of the detection stream: what is in one frame. */
export const DetectionMessage = z.object({
  timestamp: z.string().describe('When the frame was taken, UTC.'),
  source_uri: z.string(),
  process_uuid: z.uuid(),
  sequence: z.number().int().describe('Counts up by one; a gap tells of messages that this client was too slow for.'),
  frame: z.object({
    width: z.number().int(),
    height: z.number().int(),
    pts: z.number().describe('Seconds on the stream’s own time line.'),
    rtp_timestamp: z.number().int().nullable(),
  }),
  active_tracks: z.array(DetectionTrack),
})
export type DetectionMessage = z.infer<typeof DetectionMessage>

export function toDetectionMessage(process: Process, scene: Scene, sequence: number): DetectionMessage {
  const { width, height, ptsSeconds, rtpTimestamp } = scene.frame
  return {
    timestamp: toZulu(scene.takenAtMs),
    source_uri: maskSecrets(process.sourceUrl),
    process_uuid: process.id,
    sequence,
    frame: { width, height, pts: rounded(ptsSeconds, 6), rtp_timestamp: rtpTimestamp },
    active_tracks: scene.tracks.map((track) => toDetectionTrack(track, width, height)),
  }
}

function toDetectionTrack(track: SceneTrack, width: number, height: number): z.infer<typeof DetectionTrack> {
  const { box } = track
  return {
    track_id: track.id,
    class_id: track.classId,
    class_name: track.className,
    bbox: [box.x, box.y, box.width, box.height].map((value) => rounded(value, 2)),
    scaled_bbox: [box.x / width, box.y / height, box.width / width, box.height / height].map((value) =>
      rounded(value, 6),
    ),
    confidence: rounded(track.confidence * 100, 2),
    ...(track.location && toLocationFields(track.location)),
  }
}
