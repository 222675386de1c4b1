import { type Box } from '../../core/detection.ts'
import { MAX_TILES } from './tiles.ts'

/** Remembers what was found in each tile, for when it shows nothing new. */
export interface StillTiles<Found> {
  /** What was found in a region the last time; undefined where it was not looked at yet. */
  lastOf(region: Box): Promise<Found> | undefined
  /** What `look` finds in a region, or what it found the last time if `shown`, all that the model sees of it, is still the same. */
  lookAt(region: Box, shown: Buffer, look: () => Promise<Found>): Promise<Found>
}

/** The bound on what is remembered, each with a picture as large as the model's canvas: no grid has more tiles. */
const MAX_REMEMBERED = MAX_TILES ** 2

/** A frozen picture, or a part that the camera's encoder has skipped, shows the very same pixels. */
export function createStillTiles<Found>(): StillTiles<Found> {
  const memories = new Map<string, { readonly shown: Buffer; found: Promise<Found> }>()

  return {
    lastOf: (region) => memories.get(keyOf(region))?.found,
    lookAt(region, shown, look) {
      const key = keyOf(region)
      const last = memories.get(key)
      if (last?.shown.equals(shown)) return last.found
      const found = look()
      if (last?.shown.length === shown.length) {
        shown.copy(last.shown)
        last.found = found
      } else {
        // The tiles of another plan.
        if (memories.size >= MAX_REMEMBERED) memories.clear()
        memories.set(key, { shown: Buffer.from(shown), found })
      }
      found.catch(() => memories.delete(key))
      return found
    },
  }
}

function keyOf({ x, y, width, height }: Box): string {
  return [x, y, width, height].join()
}
