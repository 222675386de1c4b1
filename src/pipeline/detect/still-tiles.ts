import { type Box } from '../../core/detection.ts'
import { MAX_TILES } from './tiles.ts'

/** Spares the model tiles that show nothing new: a frozen picture, or a part that the camera's encoder has skipped. */
export interface StillTiles<Found> {
  /** What `look` finds in a region, or what it found the last time if `shown`, all that the model sees of it, is still the same. */
  lookAt(region: Box, shown: Buffer, look: () => Promise<Found>): Promise<Found>
}

/** The bound on what is remembered, each with a picture as large as the model's canvas: no grid has more tiles. */
const MAX_REMEMBERED = MAX_TILES ** 2

/**
 * Only the very same pixels count as nothing new, because only they are sure to give the same answer. Models see things that differ
 * from what is behind them by one or two steps of brightness, while the noise of most cameras is larger: a tolerance that
 * ignores the noise would lose the things.
 */
export function createStillTiles<Found>(): StillTiles<Found> {
  const memories = new Map<string, { readonly shown: Buffer; found: Promise<Found> }>()

  return {
    lookAt(region, shown, look) {
      const key = [region.x, region.y, region.width, region.height, shown.length].join()
      const last = memories.get(key)
      if (last?.shown.equals(shown)) return last.found
      const found = look()
      if (last) {
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
