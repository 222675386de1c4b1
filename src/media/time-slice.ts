/** How much one connection may do before the event loop serves the others. */
export interface TimeSliceLimits {
  readonly maxSteps: number
  readonly maxMs: number
}

/** A connection's share of one round of the event loop, however often it is called in it. */
export interface TimeSlice {
  /** A piece of work was done; true when the rest should wait for the next round. */
  isOverAfterStep(): boolean
}

export function createTimeSlice({ maxSteps, maxMs }: TimeSliceLimits): TimeSlice {
  let startedAt: number | undefined
  let steps = 0

  return {
    isOverAfterStep() {
      if (startedAt === undefined) {
        startedAt = performance.now()
        steps = 0
        setImmediate(() => (startedAt = undefined))
      }
      return ++steps >= maxSteps || performance.now() - startedAt >= maxMs
    },
  }
}
