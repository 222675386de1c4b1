import { type Publication } from '../../publication.ts'
import { type ArrivalClock } from './arrival-clock.ts'

/** Reports to the hub what wall-clock time the stream's time is: at the beginning, and then every two seconds. */
export interface Reporter {
  /** Called with every frame. */
  tick(streamMs: number, arrivedAtMs: number): void
}

/** How a track counts. */
export interface TrackTime {
  readonly track: number
  readonly clockRate: number
  /** RTP time of stream time 0. */
  readonly firstTimestamp: number
}

const REPORT_EVERY_MS = 2000
/** At the beginning the estimate still gets better: such a change is reported at once. */
const NOTABLE_CHANGE_MS = 10

/** All tracks are reported together, so that they never disagree about the time. */
export function createReporter(
  publication: Pick<Publication, 'report'>,
  arrivalClock: ArrivalClock,
  tracks: readonly TrackTime[],
): Reporter {
  let nextAtMs = Number.NEGATIVE_INFINITY
  let lastOffsetMs = 0
  return {
    tick(streamMs, arrivedAtMs) {
      const wallClockMs = arrivalClock.at(streamMs)
      if (wallClockMs === undefined) return
      const offsetMs = wallClockMs - streamMs
      if (arrivedAtMs < nextAtMs && Math.abs(offsetMs - lastOffsetMs) < NOTABLE_CHANGE_MS) return
      nextAtMs = arrivedAtMs + REPORT_EVERY_MS
      lastOffsetMs = offsetMs
      for (const { track, clockRate, firstTimestamp } of tracks) {
        const timestamp = (firstTimestamp + Math.round((streamMs * clockRate) / 1000)) >>> 0
        publication.report({ track, timestamp, wallClockMs })
      }
    },
  }
}
