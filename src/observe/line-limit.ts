/** So many lines of one kind may be logged in each window of time. */
export interface LineLimit {
  /** Whether one more may be; then it counts. */
  take(): boolean
}

export function createLineLimit(now: () => number, maxLines: number, windowMs: number): LineLimit {
  let windowStartMs = now()
  let lines = 0
  return {
    take() {
      if (now() - windowStartMs >= windowMs) {
        windowStartMs = now()
        lines = 0
      }
      if (lines >= maxLines) return false
      lines++
      return true
    },
  }
}
