import { type SenderReport } from '../stream.ts'

/** The wall-clock time of a track's timestamps, as its sender's reports tell it (RFC 3550 §6.4.1). */
export interface SenderClock {
  report(report: Pick<SenderReport, 'timestamp' | 'wallClockMs'>): void
  /** In the sender's clock, in milliseconds since 1970; undefined until it has told one. Call it for every picture. */
  wallClockOf(timestamp: number): number | undefined
}

/** Timestamps that jump further belong to a new count, for which the last report does not hold. */
const MAX_STEP_S = 10

export function createSenderClock(clockRate: number): SenderClock {
  let known: Pick<SenderReport, 'timestamp' | 'wallClockMs'> | undefined
  let last: number | undefined

  return {
    report: (report) => void (known = report),
    wallClockOf(timestamp) {
      // Timestamps wrap around after 2^32 ticks: the difference is meant, as a signed number.
      const isJump = last !== undefined && Math.abs((timestamp - last) | 0) > MAX_STEP_S * clockRate
      last = timestamp
      if (isJump) known = undefined
      return known && known.wallClockMs + (((timestamp - known.timestamp) | 0) * 1000) / clockRate
    },
  }
}
