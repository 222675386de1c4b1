/** Shorter breaks between two files are the files' own, not the stream's. */
export const MIN_GAP_MS = 1_000

export interface FileStart {
  readonly startedAt: number
  /** What was missed before it, by a clock that nobody sets; null where nobody measured it. */
  readonly gapMs: number | null
}

/**
 * What is missing before a file, where the one before it ended then; shorter ones than `MIN_GAP_MS` are none. The wall clock may be set
 * in between, which makes a gap of nothing, or hides one; what was measured by the other clock is when files arrived, which may be late
 * for a while though nothing is missing. So both must see a gap, unless one ends after the next begins.
 */
export function gapBefore({ startedAt, gapMs }: FileStart, endedAt: number): number {
  const byWallClock = startedAt - endedAt
  if (gapMs === null) return byWallClock
  return byWallClock < -MIN_GAP_MS ? gapMs : Math.min(byWallClock, gapMs)
}
