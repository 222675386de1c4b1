import { type Box, type Size } from '../../core/detection.ts'
import { type YuvPlanes } from '../../core/yuv-planes.ts'
import { type YuvColour } from './colours.ts'

/** Fills a rectangle, as far as it lies in the picture. Whole numbers only; even ones give clean edges of colour. */
export function fillBox(planes: YuvPlanes, box: Box, colour: YuvColour): void {
  fillLuma(planes, box, colour.y)
  const { left, top, right, bottom } = clip(planes, box)
  const [from, to] = [left >> 1, (right + 1) >> 1]
  if (to <= from) return
  for (let line = top >> 1; line < (bottom + 1) >> 1; line++) {
    const start = line * planes.strideUV
    fill(planes.u, start + from, start + to, colour.u)
    fill(planes.v, start + from, start + to, colour.v)
  }
}

/** Only the brightness, for what has to be finer than colour can be. */
export function fillLuma(planes: YuvPlanes, box: Box, y: number): void {
  const { left, top, right, bottom } = clip(planes, box)
  for (let line = top; line < bottom; line++) {
    const start = line * planes.strideY
    fill(planes.y, start + left, start + right, y)
  }
}

/** A call of the engine's own `fill` pays off for long runs only. */
const LONG_RUN = 16

function fill(bytes: Uint8Array, from: number, to: number, value: number): void {
  if (to - from >= LONG_RUN) bytes.fill(value, from, to)
  else for (let at = from; at < to; at++) bytes[at] = value
}

function clip(size: Size, { x, y, width, height }: Box) {
  return {
    left: Math.max(0, x),
    top: Math.max(0, y),
    right: Math.min(size.width, x + width),
    bottom: Math.min(size.height, y + height),
  }
}
