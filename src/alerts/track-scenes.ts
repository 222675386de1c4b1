import { dropOldest } from '../core/drop-oldest.ts'
import { type ScenePicture } from '../core/track-picture.ts'

/** Pictures of the frames in which tracks were found, at one process; made only of those that are asked for. */
export interface TrackScenes {
  /** A JPEG in base64; null until it is there, if ever. The first call asks the pipeline for it. */
  base64Of(trackId: number, takenAtMs: number): string | null
  add(picture: ScenePicture): void
}

/** What was asked for, longest ago first to go: it is taken within seconds. */
const MAX_SCENES = 50
const MAX_BYTES = 192 * 1024

export function createTrackScenes(request: (trackId: number, takenAtMs: number) => void): TrackScenes {
  const scenes = new Map<string, string | null>()
  const keyOf = (trackId: number, takenAtMs: number) => `${trackId} ${takenAtMs}`

  return {
    base64Of(trackId, takenAtMs) {
      const key = keyOf(trackId, takenAtMs)
      const known = scenes.get(key)
      if (known !== undefined) return known
      scenes.set(key, null)
      dropOldest(scenes, MAX_SCENES)
      request(trackId, takenAtMs)
      return null
    },
    add({ trackId, takenAtMs, jpeg }) {
      const key = keyOf(trackId, takenAtMs)
      // One text for all alerts that found the track in this frame.
      if (scenes.has(key) && jpeg.length <= MAX_BYTES) scenes.set(key, Buffer.from(jpeg).toString('base64'))
    },
  }
}
