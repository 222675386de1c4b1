/** Something that happens again and again while all is well: scenes come, a playlist grows, requests are answered. */
export interface Signal {
  readonly name: string
  /** A pause of this is none, however even the signal was just now. */
  readonly maxGapMs: number
  beat(): void
  /** When it happened, on the steady clock, oldest first. */
  readonly times: readonly number[]
}

const DEFAULT_MAX_GAP_MS = 400
/** Of the last ten minutes or so, whatever its rate. */
const MAX_TIMES = 20_000

export function createSignal(name: string, maxGapMs = DEFAULT_MAX_GAP_MS): Signal {
  const times: number[] = []
  return {
    name,
    maxGapMs,
    times,
    beat() {
      times.push(performance.now())
      if (times.length > MAX_TIMES) times.shift()
    },
  }
}

/** The longest time without a sign between these moments. */
export function longestGapMs(times: readonly number[], fromMs: number, toMs: number): number {
  const inside = [fromMs, ...times.filter((time) => time > fromMs && time < toMs), toMs]
  return Math.max(...inside.slice(1).map((time, index) => time - inside[index]!))
}

/**
 * How long after `faultMs` the signal was back: the end of the last pause that was longer than `maxGapMs`. 0 where there was none, and
 * undefined while it is still paused.
 */
export function recoveredAfterMs(
  times: readonly number[],
  { faultMs, nowMs, maxGapMs }: { readonly faultMs: number; readonly nowMs: number; readonly maxGapMs: number },
): number | undefined {
  const before = times.findLast((time) => time <= faultMs) ?? faultMs
  const moments = [before, ...times.filter((time) => time > faultMs)]
  if (nowMs - moments.at(-1)! > maxGapMs) return undefined
  const end = moments.findLast((time, index) => index > 0 && time - moments[index - 1]! > maxGapMs)
  return end === undefined ? 0 : end - faultMs
}
