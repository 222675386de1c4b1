import { createTimeSlice, type TimeSliceLimits } from '../time-slice.ts'

/**
 * Shares the gateway's time among viewers that get much at once: a piece each in turn, few in a round of the event loop, so that
 * pictures and offers of everybody else are not held up.
 */
export interface SharedTurns {
  /** Does one piece after the other, the first at once where nobody waits; `doPiece` says whether there are more. */
  add(doPiece: () => boolean): void
}

/** A piece is a packet that was lost or a picture that is sent late. */
const MAX_PER_ROUND: TimeSliceLimits = { maxSteps: 128, maxMs: 5 }

export function createSharedTurns(limits: TimeSliceLimits = MAX_PER_ROUND): SharedTurns {
  /** In the order in which they get their turn. */
  const waiting = new Set<() => boolean>()
  const slice = createTimeSlice(limits)
  let isScheduled = false

  function work(): void {
    isScheduled = false
    for (const doPiece of waiting) {
      waiting.delete(doPiece)
      if (doPiece()) waiting.add(doPiece)
      if (slice.isOverAfterStep()) break
    }
    if (waiting.size === 0) return
    isScheduled = true
    setImmediate(work)
  }

  return {
    add(doPiece) {
      waiting.add(doPiece)
      if (!isScheduled) work()
    },
  }
}
