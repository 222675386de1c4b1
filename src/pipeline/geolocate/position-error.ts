import { radiansPerDegree } from '../../core/numbers.ts'
import { type CarrierMotion } from '../../core/telemetry.ts'
import { type Lens } from './lens.ts'
import { type Direction, type Orientation } from './orientation.ts'

/** How well telemetry and boxes are known: standard deviations, taken as independent and normal. */
export interface Uncertainty {
  /** A gimbal's compass is worse than its level. */
  readonly yawDeg: number
  readonly pitchDeg: number
  readonly rollDeg: number
  /** Of the camera's place, along each axis. */
  readonly positionM: number
  /** Of the height above the ground: a part that is always there, and a share of the height. */
  readonly heightM: number
  readonly heightShare: number
  /** Between the picture's time and the telemetry's. */
  readonly timeMs: number
  /** Of a box's edge, as a share of its side. */
  readonly boxShare: number
}

/** A drone with a good fix. Real metadata agree with themselves to 2–5 m at 100–290 m. */
export const DEFAULT_UNCERTAINTY: Uncertainty = {
  yawDeg: 1,
  pitchDeg: 0.3,
  rollDeg: 0.3,
  positionM: 1.5,
  heightM: 0.3,
  heightShare: 0.015,
  timeMs: 100,
  boxShare: 0.03,
}

export interface SightedPoint {
  readonly sight: Direction
  readonly distanceM: number
  /** Of the camera above the ground that was met. */
  readonly heightM: number
  /** Of the ground there, in any length; level ground has straight up. */
  readonly normal: Direction
  /** Of the point in the picture, in pixels. */
  readonly pixelErrorX: number
  readonly pixelErrorY: number
}

export interface Moving {
  readonly motion: CarrierMotion
  readonly extrapolatedMs: number
}

/**
 * How far off a point on the ground may be, from first-order propagation: each cause moves the line of sight by a small
 * vector δ, and the point by e = t·(δ − d·(δ·n)/(d·n)) along the ground (d the unit line of sight, t the distance, n the
 * ground's normal), or directly. Only the horizontal part of e counts.
 *
 *   error = √(Σ |e|²)    over yaw, pitch, roll, the pixel's two axes, the height, and place and turning during the time error
 *
 * Time that was bridged by extrapolation counts half. Of normal errors 63 % (the same in all directions) to 68 % (all in
 * one) lie within this radius. Systematic errors of a map, a lens or a mounting are not in it.
 */
export function groundError(
  point: SightedPoint,
  lens: Lens,
  { forward, right, down, levelRight }: Orientation,
  uncertainty: Uncertainty,
  { motion, extrapolatedMs }: Moving,
): number {
  const { sight, distanceM, heightM, normal } = point
  const sinking = sight.east * normal.east + sight.north * normal.north + sight.up * normal.up
  const squareMoved = (east: number, north: number, up: number, size: number): number => {
    const off = (east * normal.east + north * normal.north + up * normal.up) / sinking
    return squareOf(east - sight.east * off, north - sight.north * off) * (size * distanceM) ** 2
  }
  const squareTurned = (axis: Direction, size: number): number =>
    squareMoved(
      axis.north * sight.up - axis.up * sight.north,
      axis.up * sight.east - axis.east * sight.up,
      axis.east * sight.north - axis.north * sight.east,
      size,
    )

  const seconds = together(uncertainty.timeMs, extrapolatedMs / 2) / 1000
  const yaw = together(uncertainty.yawDeg, motion.yawRateDegPerS * seconds) * radiansPerDegree
  const pitch = together(uncertainty.pitchDeg, motion.pitchRateDegPerS * seconds) * radiansPerDegree
  const roll = uncertainty.rollDeg * radiansPerDegree
  const height = together(uncertainty.heightM, uncertainty.heightShare * heightM)
  // A pixel is a smaller angle off the axis.
  const axial = forward.east * sight.east + forward.north * sight.north + forward.up * sight.up
  return Math.sqrt(
    squareTurned({ east: 0, north: 0, up: 1 }, yaw) +
      squareTurned(levelRight, pitch) +
      squareTurned(forward, roll) +
      squareMoved(right.east, right.north, right.up, (point.pixelErrorX / lens.focalX) * axial) +
      squareMoved(down.east, down.north, down.up, (point.pixelErrorY / lens.focalY) * axial) +
      squareOf(sight.east, sight.north) * ((height * normal.up) / sinking) ** 2 +
      2 * uncertainty.positionM ** 2 +
      (motion.speedMps * seconds) ** 2,
  )
}

/** Of two independent deviations. `Math.hypot` guards against overflow and is ten times slower. */
export function together(a: number, b: number): number {
  return Math.sqrt(a * a + b * b)
}

function squareOf(east: number, north: number): number {
  return east * east + north * north
}

/** Of a point so far along a line of sight when the distance itself is known to within `distanceErrorM`. */
export function rangeError(distanceM: number, distanceErrorM: number, uncertainty: Uncertainty): number {
  const acrossM = distanceM * Math.hypot(uncertainty.yawDeg, uncertainty.pitchDeg) * radiansPerDegree
  return Math.hypot(distanceErrorM, acrossM, uncertainty.positionM * Math.SQRT2)
}
