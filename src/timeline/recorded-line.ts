import { gapBefore, MIN_GAP_MS } from '../core/recorded-gaps.ts'
import { type Stretch } from '../core/recorded-time.ts'

export interface RecordedStretchOfFile {
  readonly startedAt: number
  readonly endedAt: number
  /** As in `gapBefore`. */
  readonly gapMs: number | null
}

export interface RecordedLine {
  /** Within the stretch that was asked for, joined where the break is shorter than can be seen. */
  readonly recorded: readonly Stretch[]
  readonly gaps: readonly Stretch[]
  readonly recordedMs: number
}

/** `files` by time. Breaks of less than `minGapMs`, and those that are the files' own, are none. */
export function toRecordedLine(
  files: readonly RecordedStretchOfFile[],
  { from, to }: Stretch,
  minGapMs: number,
): RecordedLine {
  const joined: { from: number; to: number }[] = []
  let recordedMs = 0
  let coveredTo = -Infinity
  for (const file of files) {
    const [start, end] = [Math.max(file.startedAt, from), Math.min(file.endedAt, to)]
    if (end <= start) continue
    recordedMs += Math.max(0, end - Math.max(start, coveredTo))
    coveredTo = Math.max(coveredTo, end)
    const last = joined.at(-1)
    if (last && gapBefore(file, last.to) < Math.max(MIN_GAP_MS, minGapMs)) last.to = Math.max(last.to, end)
    else joined.push({ from: start, to: end })
  }
  const gaps = joined.slice(1).map((next, index) => ({ from: joined[index]!.to, to: next.from }))
  return { recorded: joined, gaps: gaps.filter((gap) => gap.to > gap.from), recordedMs }
}
