/** The tracker's time, which goes by frames: they may come at any rate, unevenly, and not quite in order. */
export interface FrameClock {
  /** Of the newest frame; 0 before the first. */
  readonly nowMs: number
  /** Running mean of the time between frames; 0 until it is known. */
  readonly typicalSeconds: number
  advance(timeMs: number): Tick
  /** From the newest frame to that time; 0 before the first frame. */
  secondsUntil(timeMs: number): number
}

export interface Tick {
  /** Since the frame before; 0 for the first one, and for one that is out of order. */
  readonly seconds: number
  /** Time has run back so far that nothing of before holds. */
  readonly isNewTimeline: boolean
  /** What was typical before this frame, which may have come after a long gap. */
  readonly typicalBefore: number
}

/** Time that runs back by more is a new beginning; by less, frames out of order. */
const NEW_TIMELINE_MS = 1000
/** How much of the mean a new interval makes up. */
const NEW_INTERVAL_WEIGHT = 0.1

export function createFrameClock(): FrameClock {
  let nowMs: number | undefined
  let typicalSeconds = 0

  return {
    get nowMs() {
      return nowMs ?? 0
    },
    get typicalSeconds() {
      return typicalSeconds
    },
    advance(timeMs) {
      if (!Number.isFinite(timeMs))
        throw new TypeError(`A frame's time must be a number of milliseconds, not ${timeMs}.`)
      const isNewTimeline = nowMs !== undefined && timeMs < nowMs - NEW_TIMELINE_MS
      if (isNewTimeline) nowMs = undefined
      const seconds = Math.max(0, timeMs - (nowMs ?? timeMs)) / 1000
      nowMs = Math.max(timeMs, nowMs ?? timeMs)
      typicalSeconds ||= seconds
      const typicalBefore = typicalSeconds
      if (seconds > 0) typicalSeconds += NEW_INTERVAL_WEIGHT * (seconds - typicalSeconds)
      return { seconds, isNewTimeline, typicalBefore }
    },
    secondsUntil: (timeMs) => (timeMs - (nowMs ?? timeMs)) / 1000,
  }
}
