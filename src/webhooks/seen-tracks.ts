import { type SceneTrack } from '../core/scene.ts'

/** Which tracks of a process were seen. Ids are given in order and never twice, so only the last few need be remembered. */
export interface SeenTracks {
  /** Those that were not seen before; from now on they are. */
  addNew(tracks: readonly SceneTrack[]): SceneTrack[]
  readonly lastId: number
}

const MAX_REMEMBERED = 4_096

/** `floor`: every id up to this one was seen. */
export function createSeenTracks(floor: number): SeenTracks {
  let seenUpTo = floor
  let lastId = floor
  const seen = new Set<number>()

  function isNew({ id }: SceneTrack): boolean {
    if (id <= seenUpTo || seen.has(id)) return false
    seen.add(id)
    lastId = Math.max(lastId, id)
    return true
  }

  return {
    addNew(tracks) {
      const found = tracks.filter(isNew)
      if (seen.size > MAX_REMEMBERED) {
        seenUpTo = lastId - MAX_REMEMBERED / 2
        for (const id of seen) if (id <= seenUpTo) seen.delete(id)
      }
      return found
    },
    get lastId() {
      return lastId
    },
  }
}
