import { type Box, type Size } from '../../core/detection.ts'

/** Around an object, of its own width and height on each side: viewers want to see where it ends. */
const MARGIN = 0.1

/** What is cut out for an object: even borders (colour is stored for every other pixel), inside the picture. Undefined where nothing is. */
export function cropRegion({ x, y, width, height }: Box, picture: Size): Box | undefined {
  const [left, right] = evenSpan(x - MARGIN * width, x + (1 + MARGIN) * width, picture.width)
  const [top, bottom] = evenSpan(y - MARGIN * height, y + (1 + MARGIN) * height, picture.height)
  if (right <= left || bottom <= top) return undefined
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The size that keeps the aspect with no side longer than `maxSide`; never larger than it is. Even, as the pixels are stored. */
export function sizeWithin({ width, height }: Size, maxSide: number): Size {
  const factor = Math.min(1, maxSide / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.round((side * factor) / 2))
  return { width: even(width), height: even(height) }
}

function evenSpan(from: number, to: number, length: number): [from: number, to: number] {
  const start = Math.max(0, 2 * Math.floor(from / 2))
  const end = Math.min(2 * Math.floor(length / 2), 2 * Math.ceil(to / 2))
  return [start, end]
}
