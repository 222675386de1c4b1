import { type Direction } from './crossing-line.ts'

export interface FlowCounts {
  left_to_right: number
  right_to_left: number
}

/** A line that is crossed more often than this within its window has long been reported; the oldest go. One more than any trigger. */
const MAX_CROSSINGS = 10_001

/** How often a line was crossed within the last so many milliseconds. */
export function createFlowCounter(windowMs: number) {
  const crossings: { atMs: number; direction: Direction }[] = []
  const counts: FlowCounts = { left_to_right: 0, right_to_left: 0 }

  function dropOldest(): void {
    counts[crossings.shift()!.direction] -= 1
  }

  return {
    add(direction: Direction, nowMs: number): void {
      crossings.push({ atMs: nowMs, direction })
      counts[direction] += 1
      if (crossings.length > MAX_CROSSINGS) dropOldest()
    },
    /** Forgets what is too long ago. */
    moveTo(nowMs: number): void {
      while (crossings.length > 0 && nowMs - crossings[0]!.atMs >= windowMs) dropOldest()
    },
    get total() {
      return crossings.length
    },
    toCounts: (): FlowCounts => ({ ...counts }),
  }
}
