/**
 * What is known of the camera and its carrier at a moment. Every field may be missing: messages have what their sender knows.
 *
 * Headings are from true north, clockwise; pitch is positive up; roll is positive when the right side is down, seen from
 * behind. The camera's angles are the world's, not the airframe's.
 */
export interface Telemetry {
  readonly latitudeDeg?: number
  readonly longitudeDeg?: number
  /** Above mean sea level. */
  readonly altitudeM?: number
  /** Above the ground below. */
  readonly relAltitudeM?: number
  readonly speedMps?: number
  readonly hfovDeg?: number
  readonly vfovDeg?: number
  /** How the fields of view suit a picture of another shape; without it they hold for every picture as they are. */
  readonly fovRule?: FovRule
  readonly cameraPitchDeg?: number
  readonly cameraYawDeg?: number
  readonly cameraRollDeg?: number
  readonly dronePitchDeg?: number
  readonly droneYawDeg?: number
  readonly droneRollDeg?: number
  readonly laser?: LaserTarget
}

/**
 * `square-pixels`: the horizontal one holds, the vertical one follows from the picture's shape (a stream that keeps the
 * sensor's width and cuts its height). `same-shape`: both hold only for a picture of their own shape.
 */
export type FovRule = 'square-pixels' | 'same-shape'

/** What the laser rangefinder hit, in the middle of the picture. */
export interface LaserTarget {
  readonly latitudeDeg: number
  readonly longitudeDeg: number
  readonly altitudeM: number
  readonly distanceM: number
}

/** One message, understood. */
export interface TelemetrySample extends Telemetry {
  readonly timeMs: number
  /** The sender says that it does not know where it is: what was known before is not so any more. */
  readonly hasNoFix?: true
  /** The sender's clock was set back: what came before does not belong to this time. */
  readonly startsAnew?: true
}

/** What a pipeline must know before the first sample comes. */
export type TelemetryPlan =
  | { readonly kind: 'fixed'; readonly values: Telemetry }
  /** Samples come one by one. */
  | { readonly kind: 'stream'; readonly maxAgeMs: number; readonly timeOffsetMs: number; readonly yawBiasDeg: number }

export type TelemetryField = keyof Telemetry

/** Telemetry put together from messages for one moment. */
export interface TelemetryAt {
  readonly values: Telemetry
  /** For each field, how long before the moment its newest message is. */
  readonly agesMs: Readonly<Partial<Record<TelemetryField, number>>>
  /** How far beyond the newest message values were carried on; 0 when the moment lies between messages. */
  readonly extrapolatedMs: number
  readonly motion: CarrierMotion
}

/** How fast the camera's place and direction change, for the uncertainty that comes from not knowing the time well. */
export interface CarrierMotion {
  readonly speedMps: number
  readonly yawRateDegPerS: number
  readonly pitchRateDegPerS: number
}

export const standingStill: CarrierMotion = { speedMps: 0, yawRateDegPerS: 0, pitchRateDegPerS: 0 }

/** What is known of the lens after one more message. */
export function latestFieldsOfView(
  known: TelemetrySample | undefined,
  sample: TelemetrySample,
): TelemetrySample | undefined {
  const { timeMs, hfovDeg, vfovDeg, fovRule } = sample
  if (hfovDeg === undefined && vfovDeg === undefined) return sample.startsAnew ? undefined : known
  const earlier = sample.startsAnew ? undefined : known
  return {
    timeMs,
    ...(earlier?.hfovDeg !== undefined && { hfovDeg: earlier.hfovDeg }),
    ...(earlier?.vfovDeg !== undefined && { vfovDeg: earlier.vfovDeg }),
    ...(hfovDeg !== undefined && { hfovDeg }),
    ...(vfovDeg !== undefined && { vfovDeg }),
    ...(fovRule !== undefined && { fovRule }),
  }
}
