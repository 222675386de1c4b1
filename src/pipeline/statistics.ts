import { type PipelineStats, type Spread, type TilingReport } from './messages.ts'

/** Counts and times what goes through a pipeline. */
export interface Statistics {
  decoded(): void
  broken(): void
  dropped(): void
  inferred(ms: number): void
  processed(latencyMs: number): void
  tiled(tiling: TilingReport): void
  /** Rates are since the last report. */
  report(): PipelineStats
}

/** Percentiles are over the last this many. */
const MAX_SAMPLES = 300

/** Durations are on the steady clock `now`; the wall clock dates the last picture, for those outside. */
export function createStatistics(now: () => number, wallNow: () => number = Date.now): Statistics {
  const inferenceMs = createSamples()
  const latencyMs = createSamples()
  let counts = { decoded: 0, processed: 0, inferredMs: 0 }
  let since = now()
  let droppedFrames = 0
  let decodeErrors = 0
  let tiling: TilingReport | undefined
  let lastFrameAtMs: number | undefined

  return {
    decoded() {
      counts.decoded++
      lastFrameAtMs = wallNow()
    },
    broken: () => void decodeErrors++,
    dropped: () => void droppedFrames++,
    inferred(ms) {
      counts.inferredMs += ms
      inferenceMs.add(ms)
    },
    processed(ms) {
      counts.processed++
      latencyMs.add(ms)
    },
    tiled: (report) => void (tiling = report),
    report() {
      const seconds = Math.max(0.001, (now() - since) / 1000)
      const { decoded, processed, inferredMs } = counts
      counts = { decoded: 0, processed: 0, inferredMs: 0 }
      since = now()
      return {
        inputFps: rounded(decoded / seconds),
        processedFps: rounded(processed / seconds),
        droppedFrames,
        decodeErrors,
        inferenceMs: inferenceMs.spread(),
        modelLoad: rounded(inferredMs / 1000 / seconds),
        latencyMs: latencyMs.spread(),
        ...(lastFrameAtMs !== undefined && { lastFrameAtMs }),
        ...(tiling && { tiling }),
      }
    },
  }
}

function createSamples(): { add(value: number): void; spread(): Spread } {
  const samples: number[] = []
  let next = 0
  return {
    add(value) {
      samples[next] = value
      next = (next + 1) % MAX_SAMPLES
    },
    spread() {
      const sorted = [...samples].sort((a, b) => a - b)
      const at = (share: number) => {
        const value = sorted[Math.floor(share * (sorted.length - 1))]
        return value === undefined ? null : rounded(value)
      }
      return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
    },
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
