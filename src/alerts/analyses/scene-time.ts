/** A moment by the time of one process's scenes. */
export interface Moment {
  /** Counts up from the first scene, and never goes back. */
  readonly nowMs: number
  /** Nothing was seen for a while before: nobody knows what held meanwhile. */
  readonly isAfterGap: boolean
}

/** A longer silence is a gap. Tracks that are lost for longer have new ids afterwards. */
export const GAP_MS = 2_000
/** Unless scenes come as seldom as that anyway, as from a slow machine: then it is a gap when some of them are missing. */
const GAP_STEPS = 3

/**
 * Makes the time of scenes fit for measuring. It stands still while frames come out of order, and goes on from where it
 * was when the sender's clock is set back, as cameras do when they reconnect.
 */
export function createSceneTime(): (takenAtMs: number) => Moment {
  let latestMs: number | undefined
  let nowMs = 0
  let lastStepMs = 0
  /** The shorter of the last two, so that one gap is not taken for what is usual. */
  let typicalStepMs = 0
  return (takenAtMs) => {
    const stepMs = takenAtMs - (latestMs ?? takenAtMs)
    const isAfterGap = Math.abs(stepMs) > Math.max(GAP_MS, GAP_STEPS * typicalStepMs)
    if (stepMs > 0) {
      nowMs += stepMs
      typicalStepMs = lastStepMs === 0 ? stepMs : Math.min(lastStepMs, stepMs)
      lastStepMs = stepMs
    }
    if (stepMs >= 0 || isAfterGap) latestMs = takenAtMs
    return { nowMs, isAfterGap }
  }
}
