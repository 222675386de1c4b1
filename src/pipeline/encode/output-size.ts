import { type Size } from '../../core/detection.ts'

/** Wider or higher pictures are beyond what players of H.264 take (level 6). */
const MAX_SIDE = 8192

/** The size of an output's picture: as many lines as asked for (null: those of the input), the input's aspect, both even as 4:2:0 video must be. */
export function sizeFor(lines: number | null, input: Size): Size {
  const wanted = lines === null ? 1 : lines / input.height
  const factor = Math.min(wanted, MAX_SIDE / input.width, MAX_SIDE / input.height)
  return { width: toEven(input.width * factor), height: toEven(input.height * factor) }
}

function toEven(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}
