import { type GeoPoint } from '../core/geo-point.ts'
import { type SceneTrack } from '../core/scene.ts'
import { type OverlayTrack } from './overlay/overlay-track.ts'
import { type Track } from './track/track.ts'
import { type Tracker } from './track/tracker.ts'

/** Tracks as they are drawn on the picture in which they were seen. */
export function toOverlayTracks(tracks: readonly SceneTrack[]): OverlayTrack[] {
  return tracks.map(({ id, className, confidence, box, location }) => {
    return { id, className, confidence, box, ...placeOf(location?.point) }
  })
}

/** Predicted places on a picture, with where on Earth each track was last seen. */
export function predictedOverlayTracks(predicted: readonly Track[], lastSeen: readonly SceneTrack[]): OverlayTrack[] {
  const points = new Map(lastSeen.map(({ id, location }) => [id, location?.point]))
  return predicted.map(({ id, className, confidence, box, matchedNow }) => {
    return { id, className, confidence, box, isGuessed: !matchedNow, ...placeOf(points.get(id)) }
  })
}

function placeOf(point: GeoPoint | undefined): Pick<OverlayTrack, 'latitude' | 'longitude'> {
  return point ? { latitude: point.latitudeDeg, longitude: point.longitudeDeg } : {}
}

/**
 * Where the two branches of a live stream meet: the detection loop sets what it saw last, and the live branch draws it on
 * pictures that detection never sees.
 */
export interface LatestTracks {
  set(tracks: readonly SceneTrack[]): void
  /** As they are to be drawn on a picture of this time. */
  at(timeMs: number): OverlayTrack[]
}

/** Without a tracker nothing is predicted: they are drawn where they were seen. */
export function createLatestTracks(tracker: Pick<Tracker, 'predictAt'> | undefined): LatestTracks {
  let latest: readonly SceneTrack[] = []
  return {
    set: (tracks) => void (latest = tracks),
    at: (timeMs) => (tracker ? predictedOverlayTracks(tracker.predictAt(timeMs), latest) : toOverlayTracks(latest)),
  }
}
