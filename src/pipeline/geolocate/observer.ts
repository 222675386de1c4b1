import { type GeoPoint } from '../../core/geo-point.ts'
import { fromLocal, type LocalAxes, localAxesAt, toEarthFrame, toGeoPoint, type Vector } from '../../core/wgs84.ts'
import { type Direction } from './orientation.ts'

/** Where one looks from: the same place in both frames. */
export interface Observer {
  readonly point: GeoPoint
  readonly earth: Vector
  readonly axes: LocalAxes
}

/** A place on a line of sight. */
export interface Hit {
  readonly point: GeoPoint
  readonly earth: Vector
  readonly distanceM: number
}

export function observerAt(point: GeoPoint): Observer {
  return { point, earth: toEarthFrame(point), axes: localAxesAt(point.latitudeDeg, point.longitudeDeg) }
}

export function toEarthDirection({ axes }: Observer, { east, north, up }: Direction): Vector {
  return fromLocal(axes, east, north, up)
}

/** The place so far along a direction, which is a unit vector in the Earth's frame. */
export function along(observer: Observer, direction: Vector, distanceM: number): Hit {
  const earth = earthAlong(observer, direction, distanceM)
  return { point: toGeoPoint(earth), earth, distanceM }
}

export function earthAlong({ earth }: Observer, direction: Vector, distanceM: number): Vector {
  return {
    x: earth.x + direction.x * distanceM,
    y: earth.y + direction.y * distanceM,
    z: earth.z + direction.z * distanceM,
  }
}
