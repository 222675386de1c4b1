/**
 * One even time line out of a stream's time stamps, which begin anew after every loss and sometimes jump. Within a
 * stretch the stamps decide (arrival is bursty); across a jump or a loss the time that really passed does, and while a sender
 * gives the same stamp to everything, or counts them in some unit of its own, what arrives stands at its arrival.
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
/** Each time that so long has passed, it is asked by how much stamps have grown: less than a 50th of it is nothing. */
const COMPARED_MS = 1_000
const MIN_GROWTH = 0.02
/** Once is no proof: what waited somewhere comes long after what was before it. */
const MAX_WITHOUT_GROWTH = 1

export function createTimeLine(): TimeLine {
  let offsetMs: number | undefined
  let last: { readonly timeMs: number; readonly arrivedMs: number } | undefined
  let compared: { readonly ptsMs: number; readonly arrivedMs: number } | undefined
  let withoutGrowth = 0

  function compare(ptsMs: number, arrivedMs: number): void {
    compared ??= { ptsMs, arrivedMs }
    const passedMs = arrivedMs - compared.arrivedMs
    if (passedMs < COMPARED_MS) return
    withoutGrowth = ptsMs - compared.ptsMs < passedMs * MIN_GROWTH ? withoutGrowth + 1 : 0
    compared = { ptsMs, arrivedMs }
  }

  return {
    startStretch() {
      offsetMs = undefined
      compared = undefined
      withoutGrowth = 0
    },
    place(ptsMs, arrivedMs) {
      if (ptsMs !== undefined) compare(ptsMs, arrivedMs)
      const byArrival = last ? last.timeMs + Math.max(0, arrivedMs - last.arrivedMs) : arrivedMs
      let timeMs = byArrival
      if (ptsMs !== undefined) {
        const byStamp = offsetMs === undefined ? undefined : ptsMs + offsetMs
        const stepMs = byStamp === undefined || !last ? 0 : byStamp - last.timeMs
        const isJump = byStamp === undefined || stepMs < -MAX_STEP_BACK_MS || stepMs > MAX_STEP_MS
        if (isJump || withoutGrowth > MAX_WITHOUT_GROWTH) offsetMs = byArrival - ptsMs
        else timeMs = byStamp
      }
      last = { timeMs, arrivedMs }
      return timeMs
    },
  }
}
