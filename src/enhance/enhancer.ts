import { enhanceTrack } from './enhance-track.ts'
import { type Enhanced, type TrackToEnhance } from './messages.ts'
import { openPlateReader, type PlateReader } from './plates/plate-reader.ts'

/** Does the work of the enhancement, one track at a time. */
export interface Enhancer {
  /** Throws a `WeightsError` when no plate can ever be read. */
  enhance(track: TrackToEnhance): Promise<Enhanced>
  close(): Promise<void>
}

/** The models for plates are loaded when the first vehicle comes: people and drones do without. */
export function createEnhancer(openReader: () => Promise<PlateReader> = openPlateReader): Enhancer {
  let reader: Promise<PlateReader> | undefined
  return {
    enhance: (track) => enhanceTrack(track, { plateReader: () => (reader ??= openReader()) }),
    async close() {
      const opened = await reader?.catch(() => undefined)
      await opened?.close()
    },
  }
}
