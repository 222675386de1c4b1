import { createWindowedMinimum } from '../../../core/windowed-minimum.ts'

/**
 * Estimates the wall-clock time of stream time. No frame arrives before it was taken, so the smallest difference seen
 * between arrival and stream time is the nearest to the truth; jitter only makes it larger.
 */
export interface ArrivalClock {
  observe(streamMs: number, arrivedAtMs: number): void
  /** Undefined before anything arrived. */
  at(streamMs: number): number | undefined
}

/** Two windows, this one and the one before, are looked at: clocks that drift apart show up within that time. */
const WINDOW_MS = 30_000
/** A later estimate is only believed bit by bit: 0.5 % of the time that passes, more than any clock drifts. */
const MAX_RISE_PER_MS = 0.005

/** Further off than this for a whole window, our own clock must have been set. */
const MAX_ERROR_MS = 1000

export function createArrivalClock(): ArrivalClock {
  let offsetMs: number | undefined
  let lastArrivalMs = 0
  const smallest = createWindowedMinimum(WINDOW_MS)

  return {
    observe(streamMs, arrivedAtMs) {
      const target = smallest.add(arrivedAtMs - streamMs, arrivedAtMs)
      const maxRiseMs = Math.max(0, arrivedAtMs - lastArrivalMs) * MAX_RISE_PER_MS
      const isOtherTime = offsetMs === undefined || target - offsetMs > MAX_ERROR_MS
      offsetMs = isOtherTime ? target : Math.min(target, offsetMs! + maxRiseMs)
      lastArrivalMs = arrivedAtMs
    },
    at: (streamMs) => (offsetMs === undefined ? undefined : streamMs + offsetMs),
  }
}
