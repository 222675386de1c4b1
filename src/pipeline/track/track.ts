import { type Box } from '../../core/detection.ts'
import { type CameraMotion } from './camera-motion.ts'
import { type LiveTrack } from './live-track.ts'
import { transformPoint } from './plane-transform.ts'

/** An object with an identity. */
export interface Track {
  /** From the tracker's first id on, in the order of confirmation, never used again. */
  readonly id: number
  /** Where it is in this frame, or is expected to be if it was not found. */
  readonly box: Box
  /** On the screen, the camera's own motion included, in pixels a second: of the box's top left corner and of its sides. */
  readonly velocity: Box
  /** Decided by all its detections. */
  readonly classId: number
  readonly className: string
  /** Of its newest detection, 0 to 1. */
  readonly confidence: number
  /** Since its first detection. */
  readonly ageMs: number
  /** Since its newest detection. */
  readonly missingMs: number
  readonly matchedNow: boolean
  /** False when it was not found for so long that it is doubted; found again often enough, it goes on under the same id. */
  readonly isConfirmed: boolean
}

export interface Moment {
  readonly nowMs: number
  /** Since the frame before. */
  readonly seconds: number
  readonly cameraMotion: CameraMotion | undefined
  /** Part of the filtered box in the reported one. */
  readonly smoothing: number
}

export function describeTrack(track: LiveTrack, { nowMs, seconds, cameraMotion, smoothing }: Moment): Track {
  const { id, expected, seen, vote, isConfirmed } = track
  const matchedNow = track.seenMs === nowMs
  const own = track.filter.velocity()
  const centre = { x: expected.x + expected.width / 2, y: expected.y + expected.height / 2 }
  const carried = cameraMotion && seconds > 0 ? transformPoint(cameraMotion.transform, centre) : centre
  return {
    id,
    box: matchedNow ? blend(seen.box, expected, smoothing) : expected,
    velocity: {
      x: own.x - own.width / 2 + (carried.x - centre.x) / (seconds || 1),
      y: own.y - own.height / 2 + (carried.y - centre.y) / (seconds || 1),
      width: own.width,
      height: own.height,
    },
    classId: vote.classId,
    className: vote.className,
    confidence: seen.confidence,
    ageMs: nowMs - track.bornMs,
    missingMs: nowMs - track.seenMs,
    matchedNow,
    isConfirmed,
  }
}

/** The track with its box moved on (or back) by some time. */
export function moveTrack(track: Track, seconds: number): Track {
  const { box, velocity } = track
  const moved = {
    x: box.x + velocity.x * seconds,
    y: box.y + velocity.y * seconds,
    width: Math.max(1, box.width + velocity.width * seconds),
    height: Math.max(1, box.height + velocity.height * seconds),
  }
  return { ...track, box: moved }
}

function blend(a: Box, b: Box, share: number): Box {
  const mix = (from: number, to: number): number => from + share * (to - from)
  return { x: mix(a.x, b.x), y: mix(a.y, b.y), width: mix(a.width, b.width), height: mix(a.height, b.height) }
}
