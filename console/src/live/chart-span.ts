/** A few seconds would be drawn with their milliseconds. */
const MIN_SECONDS = 60

/** From when until when a chart of these moments goes, in POSIX seconds. */
export function chartSpan(times: readonly number[], now: number): [from: number, to: number] {
  const to = times.at(-1) ?? now
  return [Math.min(times[0] ?? to, to - MIN_SECONDS), to]
}
