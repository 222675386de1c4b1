import { type Report } from './report.ts'

const MINUTE_MS = 60_000
/** After a longer loss a track has another id, so that this one is over. */
const LOST_AFTER_MS = 2_000

/**
 * What time it is on the stream's own clock, which may be minutes off ours, and in a file that is processed faster or
 * slower than it was taken. For a process that has ended: the time of its last frame.
 */
export function streamTime({ isLive, lastFrame, stoppedAt }: Report, now: number): number {
  if (!lastFrame) return stoppedAt ?? now
  return isLive ? lastFrame.takenAt + Math.max(0, now - lastFrame.heardAt) : lastFrame.takenAt
}

/** When a window of so many minutes begins. It has no end: a clock that was set back must not hide what was seen before. */
export function windowStart(report: Report, minutes: number, now: number): number {
  return streamTime(report, now) - minutes * MINUTE_MS
}

export function isTrackLive(report: Report, lastSeenAt: number, now: number): boolean {
  return report.isLive && streamTime(report, now) - lastSeenAt <= LOST_AFTER_MS
}
