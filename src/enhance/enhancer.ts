import { DEFAULT_PICTURE_LIMIT, type PictureLimit } from '../core/picture-limit.ts'
import { enhanceTrack } from './enhance-track.ts'
import { type Enhanced, type TrackToEnhance } from './messages.ts'
import { openPlateReader, type PlateReader } from './plates/plate-reader.ts'

/** Does the work of the enhancement, one track at a time. */
export interface Enhancer {
  /** Throws a `WeightsError` when no plate can ever be read. */
  enhance(track: TrackToEnhance): Promise<Enhanced>
  close(): Promise<void>
}

export interface EnhancerOptions {
  readonly openReader?: () => Promise<PlateReader>
  /** Larger pictures are refused. */
  readonly maxPicture?: PictureLimit
}

/** The models for plates are loaded when the first vehicle comes: people and drones do without. */
export function createEnhancer({
  openReader = openPlateReader,
  maxPicture = DEFAULT_PICTURE_LIMIT,
}: EnhancerOptions = {}): Enhancer {
  let reader: Promise<PlateReader> | undefined
  return {
    enhance: (track) => enhanceTrack(track, { plateReader: () => (reader ??= openReader()), maxPicture }),
    async close() {
      const opened = await reader?.catch(() => undefined)
      await opened?.close()
    },
  }
}
