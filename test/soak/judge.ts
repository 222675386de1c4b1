/** What one part of the service holds at a moment. */
export interface Sample {
  /** Minutes since the beginning. */
  readonly minute: number
  /** Its kind and pid: a part that was replaced is another. */
  readonly part: string
  readonly memoryMb: number
  readonly handles: number
  readonly threads: number
}

export const MEASURES = ['memoryMb', 'handles', 'threads'] as const
export type Measure = (typeof MEASURES)[number]

/** What one part had at first and at last, and whether that is growth. */
export interface Trend {
  readonly part: string
  readonly measure: Measure
  readonly first: number
  readonly last: number
  readonly isGrowing: boolean
}

/** Caches fill and pools grow to their size before. */
const WARM_UP_MINUTES = 5
/** How much of the beginning, and of the end, is compared. */
const SPAN_MINUTES = 5
const MAX_GROWTH = 0.05
/** Less is no growth: a page here, a connection there. */
const MIN_GROWTH: Readonly<Record<Measure, number>> = { memoryMb: 4, handles: 3, threads: 1 }

/** Of every part that was there from the warm-up to the end; none where the run was too short to tell. */
export function judge(samples: readonly Sample[], minutes: number): Trend[] {
  if (minutes < WARM_UP_MINUTES + 2 * SPAN_MINUTES) return []
  const parts = [...new Set(samples.map(({ part }) => part))]
  return parts.flatMap((part) => {
    const own = samples.filter((sample) => sample.part === part)
    const first = own.filter(({ minute }) => minute >= WARM_UP_MINUTES && minute < WARM_UP_MINUTES + SPAN_MINUTES)
    const last = own.filter(({ minute }) => minute >= minutes - SPAN_MINUTES)
    if (first.length === 0 || last.length === 0) return []
    return MEASURES.map((measure) => toTrend(part, measure, first, last))
  })
}

function toTrend(part: string, measure: Measure, before: readonly Sample[], after: readonly Sample[]): Trend {
  const [first, last] = [before, after].map((samples) => medianOf(samples.map((sample) => sample[measure])))
  const growth = last! - first!
  return {
    part,
    measure,
    first: first!,
    last: last!,
    isGrowing: growth > MIN_GROWTH[measure] && growth > MAX_GROWTH * first!,
  }
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
