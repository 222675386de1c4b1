import { type PipelineStats, type Spread, type TilingReport } from './messages.ts'

/** Counts and times what goes through a pipeline. */
export interface Statistics {
  /** A picture has come, whether or not it is decoded. */
  arrived(): void
  /** A piece could not be decoded. */
  broken(): void
  /** Pieces before the picture that comes next are missing. */
  lost(): void
  dropped(): void
  /** One of a scene at rest was not decoded, which would have taken so long. */
  spared(decodingMs: number): void
  inferred(ms: number): void
  processed(latencyMs: number): void
  tiled(tiling: TilingReport): void
  /** Rates are since the last report. */
  report(): PipelineStats
}

/** Percentiles are of the last seconds: who asks wants to know how it is now. Where little happens, some older ones count too. */
const MAX_SAMPLE_AGE_MS = 15_000
const MIN_SAMPLES = 20
const MAX_SAMPLES = 300

/** Losses come in bursts; reports are a second apart. */
const MAX_LOSS_REPORTS = 10

/** Durations are on the steady clock `now`; the wall clock dates the last picture, for those outside. */
export function createStatistics(now: () => number, wallNow: () => number = Date.now): Statistics {
  const inferenceMs = createSamples(now)
  const latencyMs = createSamples(now)
  const lossShare = createLossShare()
  let counts = { arrived: 0, lost: 0, processed: 0, inferredMs: 0, sparedMs: 0 }
  let since = now()
  let droppedFrames = 0
  let decodeErrors = 0
  let tiling: TilingReport | undefined
  let lastFrameAtMs: number | undefined

  return {
    arrived() {
      counts.arrived++
      lastFrameAtMs = wallNow()
    },
    broken: () => void decodeErrors++,
    lost() {
      counts.lost++
      decodeErrors++
    },
    dropped: () => void droppedFrames++,
    spared: (decodingMs) => void (counts.sparedMs += decodingMs),
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
      const { arrived, lost, processed, inferredMs, sparedMs } = counts
      counts = { arrived: 0, lost: 0, processed: 0, inferredMs: 0, sparedMs: 0 }
      since = now()
      return {
        inputFps: rounded(arrived / seconds),
        processedFps: rounded(processed / seconds),
        droppedFrames,
        decodeErrors,
        lossShare: lossShare(arrived, lost),
        inferenceMs: inferenceMs.spread(),
        modelLoad: rounded(inferredMs / 1000 / seconds),
        // Little by little: those of many streams are added up.
        sparedLoad: Math.round((10 * sparedMs) / seconds) / 10_000,
        latencyMs: latencyMs.spread(),
        ...(lastFrameAtMs !== undefined && { lastFrameAtMs }),
        ...(tiling && { tiling }),
      }
    },
  }
}

/** Answers, of the last reports, before how many of the pictures something was lost. */
function createLossShare(): (arrived: number, lost: number) => number {
  const reports: { readonly arrived: number; readonly lost: number }[] = []
  return (arrived, lost) => {
    reports.push({ arrived, lost })
    if (reports.length > MAX_LOSS_REPORTS) reports.shift()
    const sumOf = (key: 'arrived' | 'lost') => reports.reduce((sum, report) => sum + report[key], 0)
    return rounded(Math.min(1, sumOf('lost') / Math.max(1, sumOf('arrived'))))
  }
}

function createSamples(now: () => number): { add(value: number): void; spread(): Spread } {
  /** Oldest first. */
  const samples: { readonly value: number; readonly atMs: number }[] = []

  function forget(): void {
    const isOld = ({ atMs }: (typeof samples)[number]) => now() - atMs > MAX_SAMPLE_AGE_MS
    while (samples.length > MAX_SAMPLES || (samples.length > MIN_SAMPLES && isOld(samples[0]!))) samples.shift()
  }

  return {
    add(value) {
      samples.push({ value, atMs: now() })
      forget()
    },
    spread() {
      forget()
      const sorted = samples.map(({ value }) => value).sort((a, b) => a - b)
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
