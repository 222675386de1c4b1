import { type Box, intersectionOverUnion } from '../src/core/detection.ts'

export interface Identified {
  readonly id: number
  readonly box: Box
}

/** Overlap from which a track counts as being on an object. */
const MIN_OVERLAP = 0.5

/**
 * Counts how often an object is given another identity than it had when it was last found, as CLEAR MOT does: a pair
 * that still overlaps stays together, the rest is paired by overlap, the best first.
 */
export function createSwitchCounter() {
  const lastTrack = new Map<number, number>()
  let switches = 0
  let found = 0
  let total = 0

  return {
    frame(objects: readonly Identified[], tracks: readonly Identified[]): void {
      const pairs = objects
        .flatMap((object) =>
          tracks.map((track) => {
            const overlap = intersectionOverUnion(object.box, track.box)
            return { object: object.id, track: track.id, overlap, isKept: lastTrack.get(object.id) === track.id }
          }),
        )
        .filter(({ overlap }) => overlap >= MIN_OVERLAP)
        .sort((a, b) => Number(b.isKept) - Number(a.isKept) || b.overlap - a.overlap)
      const done = { objects: new Set<number>(), tracks: new Set<number>() }
      for (const { object, track } of pairs) {
        if (done.objects.has(object) || done.tracks.has(track)) continue
        done.objects.add(object)
        done.tracks.add(track)
        if ((lastTrack.get(object) ?? track) !== track) switches++
        lastTrack.set(object, track)
      }
      found += done.objects.size
      total += objects.length
    },
    /** The object has left the view: what comes back is a new object. */
    forget(object: number): void {
      lastTrack.delete(object)
    },
    get switches() {
      return switches
    },
    /** The share of objects that some track was on. */
    get foundShare() {
      return found / total
    },
  }
}
