import { type Box } from './detection.ts'
import { type GeoPoint } from './geo-point.ts'

/** What was seen in one frame of a process: the record that leaves the pipeline. */
export interface Scene {
  /** When the frame was taken: the sender's wall clock if it is known, else the arrival; for files, the process's start plus the position. */
  readonly takenAtMs: number
  /** When the model was done with it, by the clock of the machine that runs it: the difference to its arrival is the delay. */
  readonly detectedAtMs?: number
  readonly frame: SceneFrame
  readonly tracks: readonly SceneTrack[]
  /** Only with telemetry that has the whole pose. */
  readonly camera?: SceneCamera
}

/** The camera at the moment of a frame. */
export interface SceneCamera {
  readonly point: GeoPoint
  /** 0…360 from north. */
  readonly headingDeg: number
  /** What it sees of the ground: near left, near right, far right, far left; none when it sees no ground below it. */
  readonly footprint: readonly GeoPoint[]
}

export interface SceneFrame {
  readonly width: number
  readonly height: number
  /** The frame's place on the stream's own time line. */
  readonly ptsSeconds: number
  /** As it was in the RTP packets, where that is known. */
  readonly rtpTimestamp: number | null
}

/** One object in one frame. */
export interface SceneTrack {
  /** 0 when tracking is off. */
  readonly id: number
  readonly classId: number
  readonly className: string
  readonly box: Box
  /** 0…1 */
  readonly confidence: number
  /** Only with telemetry that is fresh enough and has fields of view. */
  readonly location?: TrackLocation
}

/** The track with a location. Field by field, since it is done for every track of every frame and spreading takes 40 times as long. */
export function withLocation(track: SceneTrack, location: TrackLocation): SceneTrack {
  const { id, classId, className, box, confidence } = track
  return { id, classId, className, box, confidence, location }
}

/** In pixels of the frame. They differ where pixels are not square. */
export interface FocalLengths {
  readonly focalX: number
  readonly focalY: number
}

/** Where an object is, as far as telemetry allows. */
export interface TrackLocation {
  /** From the optical axis along the rows of the picture, positive to the right. */
  readonly azimuthDeg: number
  /** From the optical axis along the columns of the picture, positive up. */
  readonly elevationDeg: number
  /** Of the frame's lens, the same object for all of its tracks: with it, pixels become angles. */
  readonly focal?: FocalLengths
  /** From the camera to the object. */
  readonly distanceM?: number
  readonly point?: GeoPoint
  /** How the distance was found. */
  readonly source?: PositionSource
  /** One standard deviation: about two of three objects are nearer than this to the point (without a point, to the distance). */
  readonly errorM?: number
  readonly groundSpeedMps?: number
  /** Where it moves to, 0…360 from north; not while it stands. */
  readonly courseDeg?: number
  /** Of the oldest value that was used. */
  readonly telemetryAgeMs: number
  /** Why there is no point. */
  readonly unlocated?: UnlocatedReason
}

/**
 * `ground`: where the line of sight meets the plane below the camera; `terrain`: where it meets the hill; `size`: as far
 * away as something of this class looks this large; `laser`: what the rangefinder hit.
 */
export type PositionSource = 'ground' | 'terrain' | 'size' | 'laser'

/**
 * `reduced`: telemetry lacks what a place needs; `horizon`: the line of sight does not meet the ground, or hardly;
 * `size-unknown`: something flying of which nobody knows how large it is, or that is not wholly seen; `underground`: by its size it would be
 * below the ground.
 */
export type UnlocatedReason = 'reduced' | 'horizon' | 'size-unknown' | 'underground'
