import { type GeoPoint } from '../../core/geo-point.ts'
import { type Scene, type SceneTrack } from '../../core/scene.ts'

/** A track with what analyses ask of it. */
export interface SeenTrack {
  readonly track: SceneTrack
  /** Its foot point, as fractions of the picture. */
  readonly x: number
  readonly y: number
  readonly point: GeoPoint | undefined
}

const seen = new WeakMap<Scene, readonly SeenTrack[]>()

/** The tracks of a scene, worked out once for all the analyses that look at it. */
export function seenIn(scene: Scene): readonly SeenTrack[] {
  let tracks = seen.get(scene)
  if (!tracks) seen.set(scene, (tracks = scene.tracks.map((track) => toSeen(track, scene))))
  return tracks
}

function toSeen(track: SceneTrack, { frame: { width, height } }: Scene): SeenTrack {
  const { box } = track
  return {
    track,
    x: within((box.x + box.width / 2) / width),
    y: within((box.y + box.height) / height),
    point: track.location?.point,
  }
}

/** Feet are often below the picture: they count for a region that reaches to its edge, which itself is no part of a polygon. */
function within(fraction: number): number {
  return fraction < 0 ? 0 : fraction > LAST ? LAST : fraction
}
const LAST = 1 - 1e-6
