/** Bounds how often something is started for the same name: a stream that breaks off again and again keeps no machine busy. */
export interface StartPace {
  /** 0: it may start now, and that counts. Otherwise after how many milliseconds it may. */
  take(name: string): number
}

/** More than a device on a bad network needs, which takes seconds to notice that it is cut off. */
const MAX_STARTS = 10
const WINDOW_MS = 60_000

export function createStartPace(now: () => number, maxStarts = MAX_STARTS, windowMs = WINDOW_MS): StartPace {
  /** When each name was started lately; names in the order of their last start. */
  const starts = new Map<string, readonly number[]>()

  function forget(nowMs: number): void {
    for (const [name, times] of starts) {
      if (nowMs - times.at(-1)! < windowMs) return
      starts.delete(name)
    }
  }

  return {
    take(name) {
      const nowMs = now()
      forget(nowMs)
      const recent = (starts.get(name) ?? []).filter((atMs) => nowMs - atMs < windowMs)
      if (recent.length >= maxStarts) return recent[0]! + windowMs - nowMs
      starts.delete(name)
      starts.set(name, [...recent, nowMs])
      return 0
    },
  }
}
