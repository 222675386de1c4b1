/** Values of one field over time, in the order of their times. A value that is known to be unknown is undefined. */
export interface TimeSeries<T> {
  push(timeMs: number, value: T | undefined): void
  /**
   * The value at a moment; undefined when it is not known or the newest one then is older than `maxAgeMs`. Entries that are
   * farther apart than `bridgeMs` say nothing about what was between them.
   */
  at(momentMs: number, maxAgeMs: number, bridgeMs?: number): SeriesValue<T> | undefined
}

export interface SeriesValue<T> {
  readonly value: T
  /** Since the newest entry at or before the moment. */
  readonly ageMs: number
  /** How far beyond the newest entry it was carried on; 0 between two entries. */
  readonly extrapolatedMs: number
  /** The two entries that show how it changes. */
  readonly change?: { readonly from: T; readonly to: T; readonly seconds: number }
}

/** `share` is 0 for `from`, 1 for `to`, and more beyond. */
export type Mix<T> = (from: T, to: T, share: number) => T

export interface TimeSeriesOptions<T> {
  readonly keepMs: number
  /** Without it values hold until the next one. */
  readonly mix?: Mix<T>
  /** Whether a change goes on beyond the newest entry. */
  readonly isCarriedOn?: boolean
}

/** Nothing turns so fast that more than fifty values a second matter. */
const MIN_SPACING_MS = 20
const MAX_ENTRIES = 8_192
/** A change goes on for as long as the last one took, but no longer than this. */
const MAX_CARRY_MS = 2_500

/** Keeps `keepMs` of values, at most 8192, and always the last two. */
export function createTimeSeries<T>({ keepMs, mix, isCarriedOn = false }: TimeSeriesOptions<T>): TimeSeries<T> {
  const times: number[] = []
  const values: (T | undefined)[] = []

  /** The number of entries at or before a moment. */
  function countUpTo(momentMs: number): number {
    let [low, high] = [0, times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (times[middle]! <= momentMs) low = middle + 1
      else high = middle
    }
    return low
  }

  function trim(): void {
    const beginMs = times.at(-1)! - keepMs
    // In large bites, so that dropping costs nothing on average.
    if (times.length < MAX_ENTRIES && !(times.length > 64 && times[times.length >> 1]! < beginMs)) return
    const dropped = Math.min(Math.max(countUpTo(beginMs), times.length - (MAX_ENTRIES >> 1)), times.length - 2)
    times.splice(0, dropped)
    values.splice(0, dropped)
  }

  return {
    push(timeMs, value) {
      const place = countUpTo(timeMs)
      const replaced = place > 0 && times[place - 1] === timeMs ? place - 1 : -1
      const isCrowded = place === times.length && place > 1 && timeMs - times[place - 2]! < MIN_SPACING_MS
      if (replaced >= 0) values[replaced] = value
      else if (isCrowded) {
        times[place - 1] = timeMs
        values[place - 1] = value
      } else {
        times.splice(place, 0, timeMs)
        values.splice(place, 0, value)
        trim()
      }
    },

    at(momentMs, maxAgeMs, bridgeMs = maxAgeMs) {
      const index = countUpTo(momentMs) - 1
      const [beforeMs, before] = [times[index], values[index]]
      if (beforeMs === undefined || before === undefined) return undefined
      const ageMs = momentMs - beforeMs
      if (ageMs > maxAgeMs) return undefined
      const held = { value: before, ageMs, extrapolatedMs: 0 }
      if (!mix) return held

      const [afterMs, after] = [times[index + 1], values[index + 1]]
      if (after !== undefined && afterMs! - beforeMs <= bridgeMs) {
        const spanMs = afterMs! - beforeMs
        const change = { from: before, to: after, seconds: spanMs / 1000 }
        return { value: mix(before, after, ageMs / spanMs), ageMs, extrapolatedMs: 0, change }
      }
      const [earlierMs, earlier] = [times[index - 1], values[index - 1]]
      if (!isCarriedOn || earlier === undefined || beforeMs - earlierMs! > bridgeMs)
        return { ...held, extrapolatedMs: ageMs }
      const spanMs = beforeMs - earlierMs!
      const carryMs = Math.min(ageMs, spanMs, MAX_CARRY_MS)
      const change = { from: earlier, to: before, seconds: spanMs / 1000 }
      return { value: mix(earlier, before, 1 + carryMs / spanMs), ageMs, extrapolatedMs: ageMs, change }
    },
  }
}
