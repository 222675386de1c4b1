import { z } from 'zod'
import { type Size } from './detection.ts'
import { toLocationFields } from './location-fields.ts'
import { rounded } from './numbers.ts'
import { type SceneTrack } from './scene.ts'

const four = z.array(z.number()).length(4)

/** A track as the API writes it. */
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
export type DetectionTrack = z.infer<typeof DetectionTrack>

export function toDetectionTrack(track: SceneTrack, { width, height }: Size): DetectionTrack {
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
