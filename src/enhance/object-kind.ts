import { type TrackToEnhance } from './messages.ts'

/** What a track is, as far as its class says: nothing here looks at pixels. */
export type ObjectFamily = 'vehicle' | 'person' | 'flying' | 'other'

const vehicles = new Set(['car', 'truck', 'bus', 'motorcycle', 'bicycle', 'train', 'boat', 'vehicle', 'van'])
const flying = new Set(['drone', 'airplane', 'helicopter', 'bird', 'kite', 'balloon'])

/** Of other things nothing can be found out. */
export const enhancedClasses: readonly string[] = ['person', ...vehicles, ...flying]

export function familyOf(className: string): ObjectFamily {
  if (className === 'person') return 'person'
  if (vehicles.has(className)) return 'vehicle'
  return flying.has(className) ? 'flying' : 'other'
}

/** No car or van is longer, however it is turned; in metres, with room for the error of a place on the ground. */
const MAX_CAR_M = 7.5

/**
 * The type of a vehicle: its class, unless its size on the ground rules that out. A box's width lies anywhere between a
 * vehicle's breadth and its length, so a small one says nothing; a large one says that it is a truck or a bus, not which.
 */
export function vehicleType({ className, groundWidthM = 0 }: TrackToEnhance): string | null {
  if (familyOf(className) !== 'vehicle') return null
  const mayBeCar = className === 'car' || className === 'van' || className === 'vehicle'
  return mayBeCar && groundWidthM > MAX_CAR_M ? 'large vehicle' : className
}

/** The kind of a flying thing is its class; other things have none. */
export function flyingKind(className: string): string | null {
  return familyOf(className) === 'flying' ? className : null
}

/** How large a flying thing is along the longer side of its box, in metres; null without an angle and a measured distance. */
export function estimatedSizeM({
  className,
  angularWidthDeg,
  angularHeightDeg,
  distanceM,
}: TrackToEnhance): number | null {
  if (familyOf(className) !== 'flying') return null
  const angle = Math.max(angularWidthDeg ?? 0, angularHeightDeg ?? 0)
  const isKnown = distanceM !== undefined && Number.isFinite(distanceM) && distanceM > 0 && angle > 0 && angle < 180
  if (!isKnown) return null
  const size = 2 * distanceM * Math.tan((angle * Math.PI) / 360)
  // Three digits: the distance is not known better.
  return Number(size.toPrecision(3))
}

/** How far away a flying thing is, as it was in the middle of what was seen of it. */
export function flyingDistanceM({ className, reportedDistanceM, distanceM }: TrackToEnhance): number | null {
  return familyOf(className) === 'flying' ? (reportedDistanceM ?? distanceM ?? null) : null
}
