import { type Size } from '../../core/detection.ts'

/** What users choose: lines of the picture, or null for those of the input. */
export type ResolutionSetting = '360p' | '720p' | '1080p' | null

const linesOf = { '360p': 360, '720p': 720, '1080p': 1080 } as const

/** Wider or higher pictures are beyond what players of H.264 take (level 6). */
const MAX_PIXELS = 8192

/** The size of an output's picture: as many lines as asked for, the input's aspect, both even as 4:2:0 video must be. */
export function sizeFor(setting: ResolutionSetting, input: Size): Size {
  const wanted = setting === null ? 1 : linesOf[setting] / input.height
  const factor = Math.min(wanted, MAX_PIXELS / input.width, MAX_PIXELS / input.height)
  return { width: toEven(input.width * factor), height: toEven(input.height * factor) }
}

function toEven(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}
