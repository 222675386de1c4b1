/** The Earth's ellipsoid: places as latitude and longitude, and as metres from the Earth's centre. */
import { radiansPerDegree } from './numbers.ts'
import { type GeoPoint } from './geo-point.ts'

/** NIMA TR8350.2: the semi-major axis in metres, and the flattening. */
export const SEMI_MAJOR_AXIS_M = 6_378_137
const flattening = 1 / 298.257223563
const semiMinorAxisM = SEMI_MAJOR_AXIS_M * (1 - flattening)
const e2 = flattening * (2 - flattening)
/** The same for the other axis. */
const ep2 = e2 / (1 - e2)

export interface Vector {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Directions at a place, as unit vectors in the Earth's frame. */
export interface LocalAxes {
  readonly east: Vector
  readonly north: Vector
  /** Along the ellipsoid's normal. */
  readonly up: Vector
}

/** Earth-centred, Earth-fixed: x to latitude 0 longitude 0, z to the north pole. */
export function toEarthFrame({ latitudeDeg, longitudeDeg, altitudeM }: GeoPoint): Vector {
  const latitude = latitudeDeg * radiansPerDegree
  const longitude = longitudeDeg * radiansPerDegree
  const sin = Math.sin(latitude)
  const cos = Math.cos(latitude)
  const normalM = SEMI_MAJOR_AXIS_M / Math.sqrt(1 - e2 * sin * sin)
  const fromAxisM = (normalM + altitudeM) * cos
  return {
    x: fromAxisM * Math.cos(longitude),
    y: fromAxisM * Math.sin(longitude),
    z: (normalM * (1 - e2) + altitudeM) * sin,
  }
}

/** Where a point of the Earth's frame is, without the angles, which take longest to find. */
export interface Surface {
  readonly sinLatitude: number
  readonly cosLatitude: number
  readonly fromAxisM: number
  readonly altitudeM: number
}

/** Bowring's formula, twice: exact to a micrometre from below the sea to beyond the air, poles included. */
export function surfaceBelow({ x, y, z }: Vector): Surface {
  const fromAxisM = Math.sqrt(x * x + y * y)
  // Sine and cosine of the reduced latitude, then of the latitude, then better ones of each.
  let sin = z * SEMI_MAJOR_AXIS_M
  let cos = fromAxisM * semiMinorAxisM
  for (let round = 0; round < 2; round++) {
    const reduced = round === 0 ? 1 : 1 - flattening
    const length = Math.sqrt(sin * sin * reduced * reduced + cos * cos)
    const sinReduced = (sin * reduced) / length
    const cosReduced = cos / length
    sin = z + ep2 * semiMinorAxisM * sinReduced * sinReduced * sinReduced
    cos = fromAxisM - e2 * SEMI_MAJOR_AXIS_M * cosReduced * cosReduced * cosReduced
  }
  const length = Math.sqrt(sin * sin + cos * cos)
  sin /= length
  cos /= length
  // This form of the altitude holds at the poles too, where dividing by the latitude's cosine would not.
  const altitudeM = fromAxisM * cos + z * sin - SEMI_MAJOR_AXIS_M * Math.sqrt(1 - e2 * sin * sin)
  return { sinLatitude: sin, cosLatitude: cos, fromAxisM, altitudeM }
}

export function toGeoPoint(vector: Vector): GeoPoint {
  const { sinLatitude, cosLatitude, altitudeM } = surfaceBelow(vector)
  return {
    latitudeDeg: Math.atan2(sinLatitude, cosLatitude) / radiansPerDegree,
    longitudeDeg: Math.atan2(vector.y, vector.x) / radiansPerDegree,
    altitudeM,
  }
}

export function localAxesAt(latitudeDeg: number, longitudeDeg: number): LocalAxes {
  const latitude = latitudeDeg * radiansPerDegree
  const longitude = longitudeDeg * radiansPerDegree
  const sinLat = Math.sin(latitude)
  const cosLat = Math.cos(latitude)
  const sinLon = Math.sin(longitude)
  const cosLon = Math.cos(longitude)
  return {
    east: { x: -sinLon, y: cosLon, z: 0 },
    north: { x: -sinLat * cosLon, y: -sinLat * sinLon, z: cosLat },
    up: { x: cosLat * cosLon, y: cosLat * sinLon, z: sinLat },
  }
}

/** From local directions to the Earth's frame. */
export function fromLocal({ east, north, up }: LocalAxes, eastM: number, northM: number, upM: number): Vector {
  return {
    x: east.x * eastM + north.x * northM + up.x * upM,
    y: east.y * eastM + north.y * northM + up.y * upM,
    z: east.z * eastM + north.z * northM + up.z * upM,
  }
}

export function dot(a: Vector, b: Vector): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

/** The straight way between two places, in metres. */
export function distanceM(a: GeoPoint, b: GeoPoint): number {
  const [from, to] = [toEarthFrame(a), toEarthFrame(b)]
  return Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z)
}

/** The place so many metres away along the local directions of `point`. */
export function moveBy(point: GeoPoint, eastM: number, northM: number, upM = 0): GeoPoint {
  const { x, y, z } = toEarthFrame(point)
  const step = fromLocal(localAxesAt(point.latitudeDeg, point.longitudeDeg), eastM, northM, upM)
  return toGeoPoint({ x: x + step.x, y: y + step.y, z: z + step.z })
}
