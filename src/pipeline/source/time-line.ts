/**
 * One even time line out of a stream's time stamps, which begin anew after every loss and sometimes jump. Within a
 * stretch the stamps decide (arrival is bursty); across a jump or a loss the time that really passed does.
 */
export interface TimeLine {
  /** The stream that comes next has a time line of its own. */
  startStretch(): void
  /** Both in milliseconds; a packet without a stamp stands at its arrival. */
  place(ptsMs: number | undefined, arrivedMs: number): number
}

/** Pictures that are shown later than they are sent may go back by less. */
const MAX_STEP_BACK_MS = 1_000
const MAX_STEP_MS = 10_000

export function createTimeLine(): TimeLine {
  let offsetMs: number | undefined
  let last: { readonly timeMs: number; readonly arrivedMs: number } | undefined

  return {
    startStretch: () => void (offsetMs = undefined),
    place(ptsMs, arrivedMs) {
      const byArrival = last ? last.timeMs + Math.max(0, arrivedMs - last.arrivedMs) : arrivedMs
      let timeMs = byArrival
      if (ptsMs !== undefined) {
        const byStamp = offsetMs === undefined ? undefined : ptsMs + offsetMs
        const stepMs = byStamp === undefined || !last ? 0 : byStamp - last.timeMs
        const isJump = byStamp === undefined || stepMs < -MAX_STEP_BACK_MS || stepMs > MAX_STEP_MS
        if (isJump) offsetMs = byArrival - ptsMs
        else timeMs = byStamp
      }
      last = { timeMs, arrivedMs }
      return timeMs
    },
  }
}
