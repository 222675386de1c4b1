import { type SenderReport } from '../stream.ts'
import { timestampStep } from './wrapping-numbers.ts'

/** The wall-clock time of a track's timestamps, from its sender's reports (RFC 3550 §6.4.1). */
export interface SenderClock {
  report(report: Pick<SenderReport, 'timestamp' | 'wallClockMs'>): void
  /** In the sender's clock, in milliseconds since 1970; undefined until it has reported one. Call it for every picture. */
  at(timestamp: number): number | undefined
}

/** Timestamps that jump further belong to a new count, for which the last report does not hold. */
const MAX_STEP_S = 10

export function createSenderClock(clockRate: number): SenderClock {
  let known: Pick<SenderReport, 'timestamp' | 'wallClockMs'> | undefined
  let last: number | undefined

  return {
    report: (report) => void (known = report),
    at(timestamp) {
      const isJump = last !== undefined && Math.abs(timestampStep(last, timestamp)) > MAX_STEP_S * clockRate
      last = timestamp
      if (isJump) known = undefined
      return known && wallClockOf(known, timestamp, clockRate)
    },
  }
}

/** The wall-clock time of a timestamp, in milliseconds since 1970, counted on from a sender report of its track (RFC 3550 §6.4.1). */
export function wallClockOf(
  report: Pick<SenderReport, 'timestamp' | 'wallClockMs'>,
  timestamp: number,
  clockRate: number,
): number {
  return report.wallClockMs + (timestampStep(report.timestamp, timestamp) * 1000) / clockRate
}
