const MIN_STEP_MS = 20

/**
 * Times that only grow, as encoders and players need them: a file goes on where it was paused, while its outputs went on. From
 * a time that is not later than the one before, all are shifted.
 */
export function createGrowingTime(): (timeMs: number) => number {
  let shiftMs = 0
  let latestMs = -Infinity
  return (timeMs) => {
    if (timeMs + shiftMs <= latestMs) shiftMs = latestMs + MIN_STEP_MS - timeMs
    latestMs = timeMs + shiftMs
    return latestMs
  }
}
