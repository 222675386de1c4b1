import { type SceneTrack } from '../core/scene.ts'
import { type OverlayTrack } from './overlay/overlay-track.ts'
import { predictedOverlayTracks, toOverlayTracks } from './overlay-tracks.ts'
import { type Tracker } from './track/tracker.ts'

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
