/** After a longer break tracks end. */
const MAX_BREAK_MS = 2_000

/** Counts the breaks of a time line up to each of its pictures. */
export function createBreakCount(): (timeMs: number) => number {
  let lastMs: number | undefined
  let breaks = 0
  return (timeMs) => {
    if (lastMs !== undefined && Math.abs(timeMs - lastMs) > MAX_BREAK_MS) breaks += 1
    lastMs = timeMs
    return breaks
  }
}
