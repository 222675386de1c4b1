import { type GeoPoint } from '../core/geo-point.ts'
import { type SceneTrack } from '../core/scene.ts'
import { type OverlayTrack } from './overlay/overlay-track.ts'
import { type Track } from './track/track.ts'

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
