/** How long the segment that is being written is by now. */
export interface SegmentLength {
  /** By the stream's time. */
  readonly streamMs: number
  /** By ours, since it was begun. */
  readonly passedMs: number
}

/** However short segments are to be, and whatever a stream's time says, none is begun sooner after the one before. */
const MIN_SEGMENT_MS = 1_000
/** By our time a segment may be this much longer than it should. */
const CLOCK_SLACK_MS = 5_000

/** Whether the next keyframe begins another segment: by the stream's time, or by ours where that stands still or jumps back. */
export function isSegmentFull({ streamMs, passedMs }: SegmentLength, segmentSeconds: number): boolean {
  if (passedMs < MIN_SEGMENT_MS) return false
  return Math.max(streamMs, passedMs - CLOCK_SLACK_MS) >= segmentSeconds * 1000
}
