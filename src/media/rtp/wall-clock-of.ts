import { type SenderReport } from '../stream.ts'
import { timestampStep } from './timestamp-step.ts'

/** The wall-clock time of a timestamp, in milliseconds since 1970, counted on from a sender report of its track (RFC 3550 §6.4.1). */
export function wallClockOf(
  report: Pick<SenderReport, 'timestamp' | 'wallClockMs'>,
  timestamp: number,
  clockRate: number,
): number {
  return report.wallClockMs + (timestampStep(report.timestamp, timestamp) * 1000) / clockRate
}
