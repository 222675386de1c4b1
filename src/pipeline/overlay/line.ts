import { type YuvPlanes } from '../../core/yuv-planes.ts'
import { type YuvColour } from './colours.ts'

export interface Pen {
  readonly colour: YuvColour
  /** In pixels. */
  readonly width: number
  /** 0 (invisible) to 1. */
  readonly opacity: number
}

/**
 * A straight line with soft edges, as far as it lies in the picture. It covers the pixels whose centres lie between its ends,
 * so that pieces of a longer line don't overlap where they meet.
 */
export function drawLine(planes: YuvPlanes, fromX: number, fromY: number, toX: number, toY: number, pen: Pen): void {
  const isFlat = Math.abs(toX - fromX) >= Math.abs(toY - fromY)
  const slope = isFlat ? (toY - fromY) / (toX - fromX) : (toX - fromX) / (toY - fromY)
  if (!Number.isFinite(slope)) return
  const from = isFlat ? fromX : fromY
  const to = isFlat ? toX : toY
  const offset = isFlat ? fromY : fromX
  const first = Math.max(0, Math.ceil(Math.min(from, to) - 0.5))
  const end = Math.min(isFlat ? planes.width : planes.height, Math.ceil(Math.max(from, to) - 0.5))
  // Across a slope the pen reaches further.
  const reach = (pen.width / 2) * Math.sqrt(1 + slope * slope)
  for (let step = first; step < end; step++) {
    const centre = offset + (step + 0.5 - from) * slope
    drawAcross(planes, step, centre - reach, centre + reach, isFlat, pen)
  }
}

function drawAcross(planes: YuvPlanes, step: number, from: number, to: number, isFlat: boolean, pen: Pen): void {
  const { y, u, v, strideY, strideUV } = planes
  const { colour, opacity } = pen
  const first = Math.max(0, Math.floor(from))
  const last = Math.min(isFlat ? planes.height : planes.width, Math.ceil(to)) - 1
  for (let at = first; at <= last; at++) {
    const covered = 1 - (at < from ? from - at : 0) - (at + 1 > to ? at + 1 - to : 0)
    const share = (256 * opacity * covered) | 0
    const column = isFlat ? step : at
    const line = isFlat ? at : step
    mix(y, line * strideY + column, colour.y, share)
    // Four pixels share a colour: two of them, across the corner, stand for it.
    if (((column ^ line) & 1) === 1) continue
    const atColour = (line >> 1) * strideUV + (column >> 1)
    mix(u, atColour, colour.u, share)
    mix(v, atColour, colour.v, share)
  }
}

/** `share` of 256. */
function mix(bytes: Uint8Array, at: number, value: number, share: number): void {
  const before = bytes[at]!
  bytes[at] = before + (((value - before) * share) >> 8)
}
