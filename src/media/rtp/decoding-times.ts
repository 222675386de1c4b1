import { type VideoCodec } from '../../core/video-codec.ts'
import { splitByStartCodes } from './annex-b.ts'
import { readPictureInfo } from './nal-unit-codec.ts'
import { NAL_UNIT_CODECS } from './nal-unit-codecs.ts'

/**
 * Makes decoding times for pictures of which only the presentation times are known, in decoding order. When at most N
 * pictures overtake each other, the sorted presentation times, N pictures late, are right: they rise, and each picture's
 * is at most its presentation time.
 */
export type DecodingTimes = (presentationTicks: number) => number

const ASSUMED_FRAME_TICKS = 3000
/** For streams that don't declare how far they reorder: enough for nearly all, and harmless where nothing is reordered. */
const ASSUMED_REORDERED_FRAMES = 2
const MAX_REORDERED_FRAMES = 16

/** All times come after `after`. */
export function createDecodingTimes(
  maxReorderedFrames = ASSUMED_REORDERED_FRAMES,
  after = Number.NEGATIVE_INFINITY,
): DecodingTimes {
  let lateBy = maxReorderedFrames
  let last = after
  /** Presentation times that are no decoding time yet, in rising order; at most one more than `lateBy`. */
  const ahead: number[] = []
  /** The last pictures in decoding order, to see how far they really overtake each other. */
  const recent: number[] = []

  return (presentationTicks) => {
    lateBy = Math.max(lateBy, recent.filter((before) => before > presentationTicks).length)
    recent.push(presentationTicks)
    if (recent.length > MAX_REORDERED_FRAMES) recent.shift()

    insertSorted(ahead, presentationTicks)
    // The first pictures have none before them, so their times are continued backwards.
    const missing = lateBy + 1 - ahead.length
    const candidate = missing > 0 ? ahead[0]! - missing * ASSUMED_FRAME_TICKS : ahead.shift()!
    last = Math.max(candidate, last + 1)
    return last
  }
}

/** How many pictures may overtake each other, by the parameter sets between start codes; undefined when they don't declare it. */
export function reorderedFramesIn(codec: VideoCodec, parameterSets: Buffer | null): number | undefined {
  if (!parameterSets) return undefined
  return readPictureInfo(NAL_UNIT_CODECS[codec], splitByStartCodes(parameterSets))?.maxReorderedFrames
}

function insertSorted(sorted: number[], value: number): void {
  let at = sorted.length
  while (at > 0 && sorted[at - 1]! > value) at--
  sorted.splice(at, 0, value)
}
