import { createJpegEncoder, type JpegEncoder } from './encode/jpeg-encoder.ts'
import { type OutputPicture } from './encode/output-picture.ts'
import { type FromWorker } from './messages.ts'
import { createNoPictureWarning } from './no-picture-warning.ts'

/** The processed picture as JPEGs for quick looks, a few a second while somebody looks. */
export interface FeedEncoder {
  readonly isWanted: boolean
  setWanted(isWanted: boolean): void
  /** It is wanted, and the picture before is old enough. */
  readonly isDue: boolean
  /** Encodes the picture and sends it, holding it meanwhile. */
  show(drawn: OutputPicture): void
  /** There is no picture, for this reason. */
  fail(error: unknown): void
  close(): Promise<void>
}

/** Higher feeds are not worth their bytes: it is for quick looks. */
const MAX_LINES = 720
const MIN_INTERVAL_MS = 90

/** The lines of the feed, for a source of this height; null for those of the source. */
export function linesOfFeed(height: number): number | null {
  return height > MAX_LINES ? MAX_LINES : null
}

export function createFeedEncoder(
  send: (message: FromWorker) => void,
  jpeg: JpegEncoder = createJpegEncoder(),
  now: () => number = () => performance.now(),
): FeedEncoder {
  const warn = createNoPictureWarning('feed', send)
  let isWanted = false
  let shownMs = -Infinity

  function fail(error: unknown): void {
    warn((error as Error).message)
  }

  return {
    get isWanted() {
      return isWanted
    },
    setWanted: (wanted) => void (isWanted = wanted),
    get isDue() {
      return isWanted && now() - shownMs >= MIN_INTERVAL_MS
    },
    show(drawn) {
      shownMs = now()
      drawn.retain()
      jpeg
        .encode(drawn)
        .then((data) => data && isWanted && send({ type: 'picture', jpeg: data }))
        .catch(fail)
        .finally(() => drawn.release())
    },
    fail,
    close: () => jpeg.close(),
  }
}
