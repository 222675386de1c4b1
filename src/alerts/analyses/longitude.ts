import { type Point } from './polygon.ts'

/** The same longitude, written so that it is within half a turn of another: across the antimeridian numbers go on. */
export function longitudeNear(longitudeDeg: number, otherDeg: number): number {
  const differenceDeg = longitudeDeg - otherDeg
  if (differenceDeg >= -180 && differenceDeg < 180) return longitudeDeg
  return otherDeg + differenceDeg - 360 * Math.round(differenceDeg / 360)
}

/** Places in the order latitude, longitude as points of a plane, x to the east; neighbours stay neighbours across the antimeridian. */
export function toPlane(places: readonly (readonly [latitude: number, longitude: number])[]): Point[] {
  let beforeDeg = places[0]?.[1] ?? 0
  return places.map(([latitudeDeg, longitudeDeg]) => {
    beforeDeg = longitudeNear(longitudeDeg, beforeDeg)
    return [beforeDeg, latitudeDeg]
  })
}
