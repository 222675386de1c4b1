import { type Scene } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'

/** The newest small picture of each track that is about, of one process. */
export interface TrackPatches {
  add(pictures: readonly TrackPicture[]): void
  base64Of(trackId: number): string | null
  /** Drops the pictures of tracks that have not been seen for a while. */
  keepFor(scene: Scene): void
}

/** Tracks at once; those whose pictures arrived longest ago go first. At the largest size this is 13 MB a process. */
const MAX_PATCHES = 200
const MAX_BYTES = 64 * 1024
/** Notifications about a track come while it is seen, or within a cooldown. */
const KEEP_SCENES = 300

export function createTrackPatches(): TrackPatches {
  /** In the order in which pictures arrived. */
  const patches = new Map<number, { readonly jpeg: Uint8Array; base64?: string; scene: number }>()
  let scenes = 0

  return {
    add(pictures) {
      for (const { role, trackId, jpeg } of pictures) {
        if (role !== 'patch' || jpeg.length > MAX_BYTES) continue
        patches.delete(trackId)
        patches.set(trackId, { jpeg, scene: scenes })
      }
      for (const trackId of patches.keys()) {
        if (patches.size <= MAX_PATCHES) break
        patches.delete(trackId)
      }
    },
    base64Of(trackId) {
      const patch = patches.get(trackId)
      if (!patch) return null
      // One text for all alerts that have it wait: with fifty of them it would be kept fifty times.
      patch.base64 ??= Buffer.from(patch.jpeg).toString('base64')
      return patch.base64
    },
    keepFor({ tracks }) {
      scenes += 1
      for (const { id } of tracks) {
        const patch = patches.get(id)
        if (patch) patch.scene = scenes
      }
      if (scenes % KEEP_SCENES !== 0) return
      for (const [trackId, { scene }] of patches) if (scenes - scene >= KEEP_SCENES) patches.delete(trackId)
    },
  }
}
