import { radiansPerDegree } from '../../core/numbers.ts'
import { SEMI_MAJOR_AXIS_M, surfaceBelow, type Vector } from '../../core/wgs84.ts'
import { along, earthAlong, type Hit, type Observer, toEarthDirection } from './observer.ts'
import { type Direction } from './orientation.ts'

/** Flatter than this, a tenth of a degree of error moves the place by half its distance: that is no place. */
const MIN_GRAZING_DEG = 0.2
/** Nobody recognises anything farther away. */
export const MAX_DISTANCE_M = 20_000

export const MIN_GRAZING_SIN = Math.sin(MIN_GRAZING_DEG * radiansPerDegree)
const TOLERANCE_M = 1e-5
const MAX_ROUNDS = 6

/**
 * Where a line of sight meets the ground: the surface `heightM` below the observer that follows the curve of the ellipsoid
 * (at 2 km it lies 0.3 m below the plane). None above the horizon or nearly along the ground.
 */
export function meetGround(observer: Observer, sight: Direction, heightM: number): Hit | undefined {
  const startM = meetSphere(sight.up, heightM)
  if (startM === undefined) return undefined
  const direction = toEarthDirection(observer, sight)
  const groundM = observer.point.altitudeM - heightM
  let distanceM = startM
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const there = earthAlong(observer, direction, distanceM)
    const { sinLatitude, cosLatitude, fromAxisM, altitudeM } = surfaceBelow(there)
    const descent = -(outwardPart(direction, there, fromAxisM) * cosLatitude + direction.z * sinLatitude)
    if (!(descent >= MIN_GRAZING_SIN)) return undefined
    const excessM = altitudeM - groundM
    if (Math.abs(excessM) < TOLERANCE_M * descent)
      return distanceM <= MAX_DISTANCE_M ? along(observer, direction, distanceM) : undefined
    distanceM += excessM / descent
  }
  return undefined
}

/** On a sphere, as a start: height + up·t + t²·(1 − up²)/2R = 0, solved in the form that is exact for steep and flat lines. */
function meetSphere(up: number, heightM: number): number | undefined {
  const flatness = (1 - up * up) / SEMI_MAJOR_AXIS_M
  const discriminant = up * up - 2 * heightM * flatness
  if (!(heightM > 0) || up >= 0 || discriminant < 0) return undefined
  return (2 * heightM) / (-up + Math.sqrt(discriminant))
}

/** How much of a direction leads away from the Earth's axis; on the axis itself, where every way does, none. */
function outwardPart(direction: Vector, { x, y }: Vector, fromAxisM: number): number {
  return fromAxisM === 0 ? 0 : (direction.x * x + direction.y * y) / fromAxisM
}
