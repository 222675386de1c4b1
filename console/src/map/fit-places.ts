export type Place = readonly [latitude: number, longitude: number]

/** What a camera sees of the ground may reach to the horizon, where everything of interest would be a dot. */
const NEAR_M = 300
/** Unless there are things far away: then as many times as far as the farthest of them. */
const BEYOND = 4
const METRES_PER_DEGREE = 111_320

/** What should be in view: the camera, what it sees of the ground as far as that is of interest, and all tracks. */
export function fitPlaces(camera: Place | undefined, footprint: readonly Place[], tracks: readonly Place[]): Place[] {
  if (!camera) return [...tracks]
  const maxDistanceM = Math.max(0, ...tracks.map((track) => distanceM(camera, track)))
  const limitM = Math.max(NEAR_M, BEYOND * maxDistanceM)
  return [
    camera,
    ...tracks.map((track) => within(camera, track, Infinity)),
    ...footprint.map((corner) => within(camera, corner, limitM)),
  ]
}

/** The corner itself, or the place on the way to it that is as far as may be. */
function within(camera: Place, corner: Place, limitM: number): Place {
  const share = Math.min(1, limitM / distanceM(camera, corner))
  return [camera[0] + share * (corner[0] - camera[0]), camera[1] + share * eastwards(camera, corner)]
}

/** As on a plane, which is enough to choose a view. */
function distanceM(from: Place, to: Place): number {
  const perLongitude = Math.cos((from[0] * Math.PI) / 180)
  return METRES_PER_DEGREE * Math.hypot(to[0] - from[0], eastwards(from, to) * perLongitude)
}

/** Degrees, the shorter way around: −180 to 180. */
const eastwards = (from: Place, to: Place) => ((((to[1] - from[1] + 180) % 360) + 360) % 360) - 180
