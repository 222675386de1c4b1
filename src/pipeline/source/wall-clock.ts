/** A sender's clock that is further from ours has not been set: its time tells nothing. */
const MAX_SKEW_MS = 600_000

/** When a picture was taken: by the sender's wall clock, if it is told and may be right, else now. */
export function plausible(wallClockMs: number | undefined, nowMs: number): number {
  return wallClockMs === undefined || Math.abs(wallClockMs - nowMs) > MAX_SKEW_MS ? nowMs : wallClockMs
}
