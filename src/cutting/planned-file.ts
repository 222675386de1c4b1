import { codecNameOf, CutError, openRecordedVideo, type RecordedVideo, type Scan, scanVideo } from './recorded-video.ts'
import { type CutOrder, type FileToCut } from './messages.ts'
import { type EncodedRange, type FilePlan, planFile, ROUNDING_MS } from './plan-cut.ts'

/** A file of which something is wanted. Times are those of the file. */
export interface PlannedFile extends FileToCut {
  readonly isH264: boolean
  readonly codec: string
  readonly format: string
  readonly width: number
  readonly height: number
  /** As many as there are in a second, on average. */
  readonly fps: number
  readonly scan: Scan
  /** How it is taken with as little encoding as can be. */
  readonly plan: FilePlan
  /** The same where all is encoded. */
  readonly whole: EncodedRange
  /** Of the first picture that is wanted, and behind the last one. */
  readonly firstMs: number
  readonly endMs: number
}

/** What is wanted of each file, in order; those that have nothing of it are left out. */
export async function planFiles({ files, fromMs, toMs }: CutOrder, onFile: () => void): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = []
  for (const file of files) {
    const opened = await openRecordedVideo(file)
    if (!opened) continue
    try {
      const one = toPlanned(file, opened, await scanVideo(opened), fromMs - file.startedAtMs, toMs - file.startedAtMs)
      if (one) planned.push(one)
    } finally {
      await opened.input.close()
    }
    onFile()
  }
  if (planned.length === 0) throw new CutError('nothing', 'No picture of that time was recorded.')
  return planned
}

function toPlanned(
  file: FileToCut,
  opened: RecordedVideo,
  scan: Scan,
  fromMs: number,
  toMs: number,
): PlannedFile | undefined {
  const { samples } = scan
  const plan = planFile(samples, fromMs, toMs)
  const shown = samples.map(({ ms }) => ms)
  const firstMs = shown.reduce((first, ms) => (ms >= fromMs - ROUNDING_MS ? Math.min(first, ms) : first), Infinity)
  if (!plan.head && !plan.copied) return undefined
  const behindMs = shown.reduce((next, ms) => (ms >= toMs - ROUNDING_MS ? Math.min(next, ms) : next), Infinity)
  const decodeFrom = samples.findLastIndex(({ ms, isKeyframe }) => isKeyframe && ms <= firstMs)
  const decodeTo = samples.findLastIndex(({ ms }) => ms < toMs - ROUNDING_MS) + 1
  const { codecpar } = opened.video
  return {
    ...file,
    isH264: opened.isH264,
    codec: codecNameOf(opened),
    format: opened.format,
    width: codecpar.width,
    height: codecpar.height,
    fps: rateOf(shown),
    scan,
    plan,
    whole: { decodeFrom: Math.max(0, decodeFrom), decodeTo, fromMs: firstMs - ROUNDING_MS, toMs: toMs - ROUNDING_MS },
    firstMs,
    endMs: Math.min(behindMs, scan.endMs),
  }
}

function rateOf(shown: readonly number[]): number {
  const spanMs =
    shown.reduce((last, ms) => Math.max(last, ms), -Infinity) -
    shown.reduce((first, ms) => Math.min(first, ms), Infinity)
  return spanMs > 0 ? Math.round(((shown.length - 1) * 100_000) / spanMs) / 100 : 0
}
