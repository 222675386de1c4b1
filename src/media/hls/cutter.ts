/** Where a stream of frames is cut. */
export type Cut = 'none' | 'part' | 'segment'

export interface CutterLimits {
  /** A part ends with the first frame after this time; shorter parts mean less delay and more requests. */
  readonly partSeconds: number
  /** A keyframe that comes sooner than this does not begin a segment. */
  readonly minSegmentSeconds: number
  /** Without a keyframe for so long, or with so many bytes, a segment ends all the same: memory is bounded. */
  readonly maxSegmentSeconds: number
  readonly maxSegmentBytes: number
}

export const DEFAULT_LIMITS: CutterLimits = {
  partSeconds: 0.2,
  minSegmentSeconds: 0.9,
  maxSegmentSeconds: 12,
  maxSegmentBytes: 12 * 2 ** 20,
}

/** Clocks of 90 kHz round; a frame that is due by less than this is on time. */
const TOLERANCE_SECONDS = 0.002

export interface Position {
  /** From the part's and the segment's first frame to the frame that comes now. */
  readonly partSeconds: number
  readonly segmentSeconds: number
  readonly segmentBytes: number
  readonly isKeyframe: boolean
}

/** Whether the part, or the whole segment, ends before the frame that comes now. */
export function decideCut(position: Position, limits: CutterLimits = DEFAULT_LIMITS): Cut {
  const { partSeconds, segmentSeconds, segmentBytes, isKeyframe } = position
  if (segmentSeconds <= 0) return 'none'
  if (isKeyframe && segmentSeconds >= limits.minSegmentSeconds - TOLERANCE_SECONDS) return 'segment'
  if (segmentSeconds >= limits.maxSegmentSeconds || segmentBytes >= limits.maxSegmentBytes) return 'segment'
  return partSeconds >= limits.partSeconds - TOLERANCE_SECONDS ? 'part' : 'none'
}
