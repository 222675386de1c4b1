/**
 * Dates the pictures of a stream: by the sender's wall clock where RTCP brought it, otherwise by arrival. What arrives
 * may have waited (a reader is first sent the pictures since the last keyframe), so the quickest of the last seconds counts.
 */
export interface ProgramDateTime {
  /** A picture arrived. `sentAtMs` is the sender's word for it, if there is one. */
  observe(ptsSeconds: number, arrivedAtMs: number, sentAtMs: number | undefined): void
  /** Milliseconds since 1970. */
  at(ptsSeconds: number): number
}

/** A sender's clock that differs by more than this is not believed. */
const MAX_SKEW_MS = 60_000
const WINDOW_MS = 10_000

export function createProgramDateTime(): ProgramDateTime {
  /** Wall clock minus stream time, by the sender. */
  let sentOffsetMs: number | undefined
  /** The same by arrival: the smallest of this window, and of the one before. */
  let minMs = Infinity
  let minBeforeMs = Infinity
  let windowSinceMs: number | undefined

  return {
    observe(ptsSeconds, arrivedAtMs, sentAtMs) {
      if (sentAtMs !== undefined && Math.abs(arrivedAtMs - sentAtMs) < MAX_SKEW_MS) {
        sentOffsetMs = sentAtMs - ptsSeconds * 1000
      }
      windowSinceMs ??= arrivedAtMs
      if (arrivedAtMs - windowSinceMs > WINDOW_MS) {
        windowSinceMs = arrivedAtMs
        minBeforeMs = minMs
        minMs = Infinity
      }
      minMs = Math.min(minMs, arrivedAtMs - ptsSeconds * 1000)
    },
    at: (ptsSeconds) => Math.round(ptsSeconds * 1000 + (sentOffsetMs ?? Math.min(minMs, minBeforeMs))),
  }
}
