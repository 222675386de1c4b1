import { type Listing, type ListedSegment } from './playlist.ts'

export interface Part {
  readonly seconds: number
  readonly isIndependent: boolean
  readonly data: Buffer
}

interface KeptSegment extends ListedSegment {
  readonly parts: readonly Part[]
}

export interface WindowLimits {
  /** Complete segments in the playlist. */
  readonly listed: number
  /** Complete segments that can still be fetched: players ask for what an older playlist named. */
  readonly kept: number
  /** The oldest segments go first; the newest two stay whatever their size, which the cutter bounds. */
  readonly maxBytes: number
}

const DEFAULT_LIMITS: WindowLimits = { listed: 7, kept: 14, maxBytes: 48 * 2 ** 20 }
/** Requests that wait for a piece to come, all together. */
const MAX_WAITING = 1_000

/** The last seconds of a stream, in memory. */
export interface SegmentWindow {
  addPart(part: Part, segmentStartedAtMs: number): void
  /** The parts so far are a whole segment. */
  endSegment(): void
  listing(): Omit<Listing, 'discontinuity'>
  /** Bits a second over what is kept. */
  bitsPerSecond(): number
  segment(sequence: number): readonly Buffer[] | undefined
  part(sequence: number, part: number): Buffer | undefined
  /** Where the next part will be. */
  readonly next: { readonly sequence: number; readonly part: number }
  /** True once that part (without `part`: that whole segment) is there, false when it did not come in time. */
  waitFor(sequence: number, part: number | undefined, timeoutMs: number): Promise<boolean>
  /** Nothing more is added: waiting requests return. What is kept stays. */
  close(): void
  readonly isClosed: boolean
}

export function createSegmentWindow(firstSequence: number, limits: WindowLimits = DEFAULT_LIMITS): SegmentWindow {
  const segments: KeptSegment[] = []
  const waiting = new Set<() => void>()
  let open: KeptSegment | undefined
  let sequence = firstSequence
  let bytes = 0
  let maxSegmentSeconds = 0
  let maxPartSeconds = 0
  let isClosed = false

  function wake(): void {
    for (const look of waiting) look()
  }

  function forget(): void {
    while (segments.length > limits.kept || (bytes > limits.maxBytes && segments.length > 2)) {
      bytes -= sizeOf(segments.shift()!)
    }
  }

  function isThere(wanted: number, part: number | undefined): boolean {
    if (wanted < sequence) return true
    return wanted === sequence && part !== undefined && (open?.parts.length ?? 0) > part
  }

  return {
    addPart(part, startedAtMs) {
      const begun = open ?? { sequence, startedAtMs, seconds: 0, isComplete: false, parts: [] }
      open = { ...begun, seconds: begun.seconds + part.seconds, parts: [...begun.parts, part] }
      bytes += part.data.length
      maxPartSeconds = Math.max(maxPartSeconds, part.seconds)
      forget()
      wake()
    },
    endSegment() {
      if (!open) return
      segments.push({ ...open, isComplete: true })
      maxSegmentSeconds = Math.max(maxSegmentSeconds, open.seconds)
      open = undefined
      sequence += 1
      forget()
      wake()
    },
    listing: () => ({
      run: firstSequence,
      segments: [...segments.slice(-limits.listed), ...(open ? [open] : [])],
      maxSegmentSeconds,
      maxPartSeconds,
    }),
    bitsPerSecond() {
      const seconds = segments.reduce((sum, segment) => sum + segment.seconds, open?.seconds ?? 0)
      return seconds > 0 ? (bytes * 8) / seconds : 0
    },
    segment: (wanted) => segments.find((segment) => segment.sequence === wanted)?.parts.map(({ data }) => data),
    part(wanted, part) {
      const segment = open?.sequence === wanted ? open : segments.find((one) => one.sequence === wanted)
      return segment?.parts[part]?.data
    },
    get next() {
      return { sequence, part: open?.parts.length ?? 0 }
    },
    waitFor(wanted, part, timeoutMs) {
      if (isThere(wanted, part)) return Promise.resolve(true)
      if (isClosed || waiting.size >= MAX_WAITING) return Promise.resolve(false)
      return new Promise((resolve) => {
        const finish = (result: boolean) => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve(result)
        }
        const look = () => {
          if (isThere(wanted, part)) finish(true)
          else if (isClosed) finish(false)
        }
        const timer = setTimeout(() => finish(false), timeoutMs)
        waiting.add(look)
      })
    },
    close() {
      isClosed = true
      wake()
    },
    get isClosed() {
      return isClosed
    },
  }
}

function sizeOf({ parts }: KeptSegment): number {
  return parts.reduce((sum, { data }) => sum + data.length, 0)
}
