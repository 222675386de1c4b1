import { type PictureLimit } from '../core/picture-limit.ts'
import { type Stretch } from '../core/recorded-time.ts'

/** The whole contract between main and the worker that cuts a clip: it gets one order, and ends when that is done. */
export type ToCutter = { readonly type: 'cut'; readonly order: CutOrder }

export interface CutOrder {
  /** In the order of time. */
  readonly files: readonly FileToCut[]
  /** From this picture on, and before that one: milliseconds since the epoch. */
  readonly fromMs: number
  readonly toMs: number
  /** Part n is written to `<target>-<n>.mp4.partial`. */
  readonly target: string
  /** Files with blocks of looks, one for each process, whose boxes are drawn; null where the pictures are copied. */
  readonly looks: readonly string[] | null
  readonly maxPicture: PictureLimit
}

export interface FileToCut {
  readonly path: string
  readonly startedAtMs: number
  /** What was missed before it; null where nobody measured it. */
  readonly gapMs: number | null
}

export type FromCutter =
  /** 0…1 of the stretch. */
  | { readonly type: 'progress'; readonly share: number }
  | {
      readonly type: 'done'
      readonly parts: readonly CutPart[]
      readonly gaps: readonly Stretch[]
      readonly cpuMs: number
    }
  | { readonly type: 'failed'; readonly reason: CutFailure; readonly sentence: string }

/** `nothing`: no picture of the files is of that time. `gone`: a file was not there. */
export type CutFailure = 'nothing' | 'gone' | 'disk-full' | 'unreadable'

/** From its first picture to the end of its last one. */
export interface CutPart extends Stretch {
  /** From 1. */
  readonly n: number
  readonly durationMs: number
  readonly sizeBytes: number
  /** As hex digits. */
  readonly sha256: string
  readonly video: { readonly codec: string; readonly width: number; readonly height: number; readonly fps: number }
}

export const partialFile = (target: string, n: number) => `${target}-${n}.mp4.partial`
