import { plausibleSenderTime } from '../core/clock.ts'
import { createWindowedMinimum } from '../core/windowed-minimum.ts'

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

const WINDOW_MS = 10_000

export function createProgramDateTime(): ProgramDateTime {
  /** Wall clock minus stream time, by the sender. */
  let sentOffsetMs: number | undefined
  /** The same by arrival. */
  let arrivalOffsetMs = Infinity
  const smallest = createWindowedMinimum(WINDOW_MS)

  return {
    observe(ptsSeconds, arrivedAtMs, sentAtMs) {
      const takenAtMs = plausibleSenderTime(sentAtMs, arrivedAtMs)
      if (takenAtMs !== undefined) sentOffsetMs = takenAtMs - ptsSeconds * 1000
      arrivalOffsetMs = smallest.add(arrivedAtMs - ptsSeconds * 1000, arrivedAtMs)
    },
    at: (ptsSeconds) => Math.round(ptsSeconds * 1000 + (sentOffsetMs ?? arrivalOffsetMs)),
  }
}
