import { z } from 'zod'
import { toLocationFields } from '../../core/location-fields.ts'
import { type SceneFrame, type SceneTrack } from '../../core/scene.ts'

const four = z.array(z.number()).length(4)

/** A track in a notification: the same fields as in the detection stream. */
export const TrackFields = z.object({
  track_id: z.number().int(),
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
  position_source: z.enum(['ground', 'terrain', 'size', 'laser']).optional(),
  ground_speed: z.number().optional().describe('Metres a second.'),
  course: z.number().optional().describe('Degrees from north.'),
  telemetry_age_ms: z.number().optional(),
})
export type TrackFields = z.infer<typeof TrackFields>

export function toTrackFields(track: SceneTrack, { width, height }: SceneFrame): TrackFields {
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

export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor + 0
}
