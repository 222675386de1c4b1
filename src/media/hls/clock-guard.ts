/**
 * Tells when a stream's time runs away from ours: each of its frames would be a segment. A reader is first sent the pictures
 * since the last keyframe, all at once, so what it is ahead by in its first seconds is how it stays.
 */
export interface ClockGuard {
  /** A picture of this time comes now. */
  isAhead(streamSeconds: number, nowSeconds: number): boolean
}

const OPENING_SECONDS = 10
/** Longer groups of pictures there are hardly any of. */
const MAX_OPENING_AHEAD_SECONDS = 120
/** As long as a stream may be silent before it has ended: no more can it have to catch up with. */
const MAX_AHEAD_SECONDS = 10
/** Devices' clocks run a little fast: over a day that is more than any stream has to catch up with. */
const MAX_DRIFT = 0.01

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
      return aheadSeconds > openingAheadSeconds + MAX_AHEAD_SECONDS + passedSeconds * MAX_DRIFT
    },
  }
}
