import { maxLeadMs } from '../stream-lead.ts'

/**
 * Detects when a stream's time runs away from ours: each of its frames would be a segment. A reader is first sent the pictures
 * since the last keyframe, all at once, so what it is ahead by in its first seconds is how it stays.
 */
export interface ClockGuard {
  /** A picture of this time comes now. */
  isAhead(streamSeconds: number, nowSeconds: number): boolean
}

const OPENING_SECONDS = 10
/** Longer groups of pictures there are hardly any of. */
const MAX_OPENING_AHEAD_SECONDS = 120

export function createClockGuard(): ClockGuard {
  let first: { readonly streamSeconds: number; readonly nowSeconds: number } | undefined
  let openingAheadSeconds = 0

  return {
    isAhead(streamSeconds, nowSeconds) {
      first ??= { streamSeconds, nowSeconds }
      const passedSeconds = nowSeconds - first.nowSeconds
      const aheadSeconds = streamSeconds - first.streamSeconds - passedSeconds
      if (passedSeconds < OPENING_SECONDS && aheadSeconds <= MAX_OPENING_AHEAD_SECONDS)
        openingAheadSeconds = Math.max(openingAheadSeconds, aheadSeconds)
      return aheadSeconds > openingAheadSeconds + maxLeadMs(passedSeconds * 1000) / 1000
    },
  }
}
