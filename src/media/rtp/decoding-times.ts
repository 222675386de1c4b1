import { splitByStartCodes } from './annex-b.ts'
import { H264_TYPE, h264Type } from './h264-nal-unit.ts'
import { parseH264Sps } from './h264-sps.ts'
import { H265_TYPE, h265Type } from './h265-nal-unit.ts'
import { parseH265Sps } from './h265-sps.ts'

/**
 * Makes decoding times for pictures of which only the presentation times are known, in decoding order. When at most N
 * pictures overtake each other, the sorted presentation times, N pictures late, are right: they rise, and each picture's
 * is at most its presentation time.
 */
export type DecodingTimes = (presentationTicks: number) => number

const ASSUMED_FRAME_TICKS = 3000
/** Streams that don't say how far they reorder: enough for nearly all, and harmless where nothing is reordered. */
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
    // The first pictures have nobody before them, so their times are continued backwards.
    const missing = lateBy + 1 - ahead.length
    const candidate = missing > 0 ? ahead[0]! - missing * ASSUMED_FRAME_TICKS : ahead.shift()!
    last = Math.max(candidate, last + 1)
    return last
  }
}

/** How many pictures may overtake each other, by the parameter sets between start codes; undefined when they don't say. */
export function reorderedFramesIn(codec: 'h264' | 'h265', parameterSets: Buffer): number | undefined {
  const units = splitByStartCodes(parameterSets)
  if (codec === 'h265') {
    const sps = units.find((unit) => h265Type(unit) === H265_TYPE.sps)
    return sps && parseH265Sps(sps)?.maxReorderedFrames
  }
  const sps = units.find((unit) => h264Type(unit) === H264_TYPE.sps)
  return sps && parseH264Sps(sps)?.maxReorderedFrames
}

function insertSorted(sorted: number[], value: number): void {
  let at = sorted.length
  while (at > 0 && sorted[at - 1]! > value) at--
  sorted.splice(at, 0, value)
}
