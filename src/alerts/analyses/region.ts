import { type Region } from '../region.schema.ts'
import { toPlane, longitudeNear } from './longitude.ts'
import { type Bounds, boundsOf, isInside, type Point } from './polygon.ts'
import { type SeenTrack } from './seen-track.ts'

export type Matcher = (seen: SeenTrack) => boolean

/** Whether a track is in a region: by its foot point in the picture, or by its place on Earth; what has no place is in no such region. */
export function createRegion(region: Region): Matcher {
  if (region === null) return () => true
  if (region.type === 'polygon') {
    const bounds = boundsOf(region.points)
    return ({ x, y }) => isWithin(bounds, x, y) && isInside(region.points, x, y)
  }
  const points: Point[] = toPlane(region.points)
  const bounds = boundsOf(points)
  const middleDeg = (bounds.minX + bounds.maxX) / 2
  return ({ point }) => {
    if (!point) return false
    const x = longitudeNear(point.longitudeDeg, middleDeg)
    return isWithin(bounds, x, point.latitudeDeg) && isInside(points, x, point.latitudeDeg)
  }
}

function isWithin({ minX, minY, maxX, maxY }: Bounds, x: number, y: number): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY
}
