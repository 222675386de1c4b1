import { type Box, type Size } from './detection.ts'
import { type GeoPoint } from './geo-point.ts'

/** What was seen in one frame, as it is kept beside recordings. */
export interface RecordedLook extends Size {
  /** As of the scene; `width` and `height` are the frame's. */
  readonly takenAtMs: number
  readonly tracks: readonly RecordedTrack[]
  /** Only with telemetry that has the whole pose. */
  readonly camera?: RecordedCamera
}

export interface RecordedTrack {
  /** 0 when tracking is off. */
  readonly id: number
  readonly classId: number
  readonly className: string
  readonly box: Box
  /** 0…1 */
  readonly confidence: number
  readonly point?: GeoPoint
}

export interface RecordedCamera {
  readonly point: GeoPoint
  /** 0…360 from north. */
  readonly headingDeg: number
}
