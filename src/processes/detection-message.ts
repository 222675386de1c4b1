import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { DetectionTrack, toDetectionTrack } from '../core/detection-track.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { rounded } from '../core/numbers.ts'
import { type Scene, type SceneCamera } from '../core/scene.ts'
import { type Process } from './process.ts'

export const DetectionCamera = z.object({
  latitude: z.number(),
  longitude: z.number(),
  altitude: z.number().describe('Metres above mean sea level.'),
  heading: z.number().describe('Degrees from north.'),
  footprint: z
    .array(z.array(z.number()).length(2))
    .describe('[latitude, longitude] of what it sees of the ground: near left, near right, far right, far left.'),
})

/** One message of the detection stream: what is in one frame. */
export const DetectionMessage = z.object({
  timestamp: z.string().describe('When the frame was taken, UTC.'),
  source_uri: z.string().describe('Empty where the source belongs to somebody else.'),
  process_uuid: z.uuid(),
  sequence: z.number().int().describe('Counts up by one; a gap tells of messages that this client was too slow for.'),
  frame: z.object({
    width: z.number().int(),
    height: z.number().int(),
    pts: z.number().describe('Seconds on the stream’s own time line.'),
    rtp_timestamp: z.number().int().nullable(),
  }),
  active_tracks: z.array(DetectionTrack),
  camera: DetectionCamera.optional().describe('With telemetry that tells the whole pose.'),
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
    active_tracks: scene.tracks.map((track) => toDetectionTrack(track, scene.frame)),
    ...(scene.camera && { camera: toDetectionCamera(scene.camera) }),
  }
}

/** The first place where it can be: only the time stands before it. */
const SOURCE_URI = /"source_uri":"(?:[^"\\]|\\.)*"/

/** As who was given the right to a source's events gets it: where a camera is called is its owner's business. */
export function messageForOthers(message: string): string {
  return message.replace(SOURCE_URI, '"source_uri":""')
}

function toDetectionCamera({ point, headingDeg, footprint }: SceneCamera): z.infer<typeof DetectionCamera> {
  return {
    latitude: rounded(point.latitudeDeg, 7),
    longitude: rounded(point.longitudeDeg, 7),
    altitude: rounded(point.altitudeM, 2),
    heading: rounded(headingDeg, 2) % 360,
    footprint: footprint.map(({ latitudeDeg, longitudeDeg }) => [rounded(latitudeDeg, 7), rounded(longitudeDeg, 7)]),
  }
}
