import { type Box, type Size } from '../../core/detection.ts'
import { type YuvPlanes } from '../../core/yuv-planes.ts'
import { BLACK, type YuvColour } from './colours.ts'
import { type OverlayStyle } from './overlay-style.ts'
import { fillBox, fillLuma } from './fill-box.ts'

/**
 * The line around an object: on the edges of its box, to the next even pixel, at the border of the picture inside it, and
 * never so small that it hides what it is around.
 */
export function outlineAround({ x, y, width, height }: Box, { lineWidth }: OverlayStyle, picture: Size): Box {
  const across = stretch(x, x + width, lineWidth, picture.width)
  const down = stretch(y, y + height, lineWidth, picture.height)
  return { x: across.from, y: down.from, width: across.length, height: down.length }
}

function stretch(from: number, to: number, lineWidth: number, limit: number): { from: number; length: number } {
  const minLength = 5 * lineWidth
  const tooShort = Math.max(0, minLength - lineWidth - (to - from))
  const start = toEven(from - (lineWidth + tooShort) / 2)
  const end = toEven(to + (lineWidth + tooShort) / 2)
  const first = Math.max(0, Math.min(start, limit - minLength))
  return { from: first, length: Math.max(minLength, Math.min(end, limit) - first) }
}

/** Draws it; `isBroken` leaves gaps. */
export function drawOutline(
  planes: YuvPlanes,
  outline: Box,
  colour: YuvColour,
  style: OverlayStyle,
  isBroken: boolean,
): void {
  const { lineWidth, rim } = style
  const sides = sidesOf(outline, lineWidth)
  const pieces = isBroken ? sides.flatMap((side) => dashes(side, lineWidth)) : sides
  for (const { x, y, width, height } of pieces) {
    fillLuma(planes, { x: x - rim, y: y - rim, width: width + 2 * rim, height: height + 2 * rim }, BLACK.y)
  }
  for (const piece of pieces) fillBox(planes, piece, colour)
}

function sidesOf({ x, y, width, height }: Box, lineWidth: number): Box[] {
  const inner = height - 2 * lineWidth
  return [
    { x, y, width, height: lineWidth },
    { x, y: y + height - lineWidth, width, height: lineWidth },
    { x, y: y + lineWidth, width: lineWidth, height: inner },
    { x: x + width - lineWidth, y: y + lineWidth, width: lineWidth, height: inner },
  ]
}

/** As many as fit with one at each end, so that corners are always drawn. */
function dashes({ x, y, width, height }: Box, lineWidth: number): Box[] {
  const isFlat = width >= height
  const length = isFlat ? width : height
  const dash = Math.min(length, 4 * lineWidth)
  const count = Math.max(2, Math.round((length + dash) / (2 * dash)))
  return Array.from({ length: count }, (_, index) => {
    const at = toEven((index * (length - dash)) / (count - 1))
    return isFlat ? { x: x + at, y, width: dash, height } : { x, y: y + at, width, height: dash }
  })
}

function toEven(value: number): number {
  return 2 * Math.round(value / 2)
}
