import { type TimeRange } from '../core/request-fields.ts'
import { type Report } from './report.ts'

const MINUTE_MS = 60_000
/** After a longer loss a track has another id, so that this one is over. */
const LOST_AFTER_MS = 2_000

/**
 * What time it is on the stream's own clock, which may be minutes off ours, and in a file that is processed faster or
 * slower than it was taken. For a process that has ended: the time of its last frame.
 */
function streamTime({ isLive, lastFrame, stoppedAt }: Report, now: number): number {
  if (!lastFrame) return stoppedAt ?? now
  return isLive ? lastFrame.takenAt + Math.max(0, now - lastFrame.heardAt) : lastFrame.takenAt
}

/** The last minutes, or the time between two moments. */
export type RequestedWindow = { readonly minutes: number } | TimeRange

/** By the stream's own clock: from a moment on, and before another; null where it is open. */
export interface ReportWindow {
  readonly from: number | null
  readonly to: number | null
  /** How long it is, in whole minutes. */
  readonly minutes: number
}

/** A window of so many minutes has no end: a clock that was set back must not hide what was seen before. */
export function windowOf(report: Report, requested: RequestedWindow, now: number): ReportWindow {
  const end = streamTime(report, now)
  if ('minutes' in requested) return { from: end - requested.minutes * MINUTE_MS, to: null, minutes: requested.minutes }
  const { from = null, to = null } = requested
  const durationMs = (to ?? end) - (from ?? report.startedAt ?? report.createdAt)
  return { from, to, minutes: Math.max(1, Math.ceil(durationMs / MINUTE_MS)) }
}

export function isTrackLive(report: Report, lastSeenAt: number, now: number): boolean {
  return report.isLive && streamTime(report, now) - lastSeenAt <= LOST_AFTER_MS
}
