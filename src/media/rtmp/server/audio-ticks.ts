/**
 * Turns milliseconds into ticks of the audio clock. A frame has a whole number of samples, which milliseconds
 * can't say: as long as both agree to within the tolerance, frames follow each other without gap or overlap.
 */
export function createAudioTicks(clockRate: number, ticksPerFrame: number): (ms: number) => number {
  const toleranceTicks = (clockRate * TOLERANCE_MS) / 1000
  let last: number | undefined
  return (ms) => {
    const said = Math.round((ms * clockRate) / 1000)
    if (last === undefined) return (last = said)
    const follows = last + ticksPerFrame
    last = Math.abs(said - follows) <= toleranceTicks ? follows : Math.max(said, last + 1)
    return last
  }
}

/** More than rounding and the jitter of encoders' timers, less than a frame that is missing. */
const TOLERANCE_MS = 15
