import { type Filter } from '../filter.schema.ts'
import { type Region } from '../region.schema.ts'
import { longitudeNear, toPlane } from './longitude.ts'
import { boundsOf, createInside } from './polygon.ts'
import { type SeenTrack } from './seen-track.ts'

type Matcher = (seen: SeenTrack) => boolean

/** Whether a track is of the kind that is asked for. What has no distance is not within one. */
export function createFilter(filter: Filter): Matcher {
  const classes = filter.classes && new Set(filter.classes)
  // A wire's percent against our fraction; the small share lets 50 match a half that was rounded.
  const minConfidence = (filter.min_confidence ?? 0) / 100 - 1e-9
  const minHeightPx = filter.min_height_px ?? 0
  const maxDistanceM = filter.max_distance_m
  return ({ track }) =>
    track.confidence >= minConfidence &&
    track.box.height >= minHeightPx &&
    (!classes || classes.has(track.className)) &&
    (maxDistanceM === undefined || (track.location?.distanceM ?? Infinity) <= maxDistanceM)
}

/** Filter and region together: who counts for an alert. */
export function createMatcher({ filter, region }: { filter: Filter; region: Region }): Matcher {
  const [isKind, isThere] = [createFilter(filter), createRegion(region)]
  return (seen) => isKind(seen) && isThere(seen)
}

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
