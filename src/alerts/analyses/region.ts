import { type Region } from '../region.schema.ts'
import { longitudeNear, toPlane } from './longitude.ts'
import { boundsOf, createInside } from './polygon.ts'
import { type SeenTrack } from './seen-track.ts'

export type Matcher = (seen: SeenTrack) => boolean

/** Whether a track is in a region: by its foot point in the picture, or by its place on Earth; what has no place is in no such region. */
export function createRegion(region: Region): Matcher {
  if (region === null) return () => true
  if (region.type === 'polygon') {
    const isInside = createInside(region.points)
    return ({ x, y }) => isInside(x, y)
  }
  const points = toPlane(region.points)
  const isInside = createInside(points)
  const { minX, maxX } = boundsOf(points)
  const middleDeg = (minX + maxX) / 2
  return ({ point }) => point !== undefined && isInside(longitudeNear(point.longitudeDeg, middleDeg), point.latitudeDeg)
}
