import { radiansPerDegree } from '../core/numbers.ts'
import { distanceM } from '../core/wgs84.ts'

/** Everything within so many metres of a place. */
export interface Circle {
  readonly latitude: number
  readonly longitude: number
  readonly radiusM: number
}

/** Degrees that hold a circle; two ranges of longitudes where it lies across the antimeridian. */
export interface DegreeBox {
  readonly south: number
  readonly north: number
  readonly longitudes: readonly (readonly [west: number, east: number])[]
}

/** A little less than the shortest degree, so that a box is never too small. */
const METRES_PER_DEGREE = 110_000

/** What can be looked up by an index; its corners lie outside of the circle. */
export function boxAround({ latitude, longitude, radiusM }: Circle): DegreeBox {
  const halfHeight = radiusM / METRES_PER_DEGREE
  const [south, north] = [latitude - halfHeight, latitude + halfHeight]
  const maxLatitude = Math.max(Math.abs(south), Math.abs(north))
  const halfWidth = maxLatitude < 90 ? halfHeight / Math.cos(maxLatitude * radiansPerDegree) : Infinity
  if (halfWidth >= 180) return { south, north, longitudes: [[-180, 180]] }
  const [west, east] = [longitude - halfWidth, longitude + halfWidth]
  if (west < -180)
    return {
      south,
      north,
      longitudes: [
        [west + 360, 180],
        [-180, east],
      ],
    }
  if (east > 180)
    return {
      south,
      north,
      longitudes: [
        [west, 180],
        [-180, east - 360],
      ],
    }
  return { south, north, longitudes: [[west, east]] }
}

/** On the ground: how high it flies does not count. */
export function isWithin(circle: Circle, place: { readonly latitude: number; readonly longitude: number }): boolean {
  const onGround = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) => ({
    latitudeDeg: latitude,
    longitudeDeg: longitude,
    altitudeM: 0,
  })
  return distanceM(onGround(circle), onGround(place)) <= circle.radiusM
}
