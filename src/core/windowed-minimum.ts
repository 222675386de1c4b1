/** The smallest of the values that came within the last one to two windows: what is older is forgotten, one window at a time. */
export interface WindowedMinimum {
  /** Returns the smallest, this one included. */
  add(value: number, atMs: number): number
}

export function createWindowedMinimum(windowMs: number): WindowedMinimum {
  let min = Infinity
  let minBefore = Infinity
  let windowEndsMs = -Infinity

  return {
    add(value, atMs) {
      // A clock that was set back would keep its window open for as long.
      if (atMs >= windowEndsMs || atMs < windowEndsMs - 2 * windowMs) {
        minBefore = min
        min = Infinity
        windowEndsMs = atMs + windowMs
      }
      min = Math.min(min, value)
      return Math.min(min, minBefore)
    },
  }
}
