import { type YuvColour } from './colours.ts'
import { type YuvPlanes } from './yuv-planes.ts'

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
  const [alongX, alongY] = [toX - fromX, toY - fromY]
  const isFlat = Math.abs(alongX) >= Math.abs(alongY)
  const [from, to, offset] = isFlat ? [fromX, toX, fromY] : [fromY, toY, fromX]
  const slope = isFlat ? alongY / alongX : alongX / alongY
  if (!Number.isFinite(slope)) return
  // Across a slope the pen reaches further.
  const reach = (pen.width / 2) * Math.hypot(1, slope)
  const limit = isFlat ? planes.width : planes.height
  const first = Math.max(0, Math.ceil(Math.min(from, to) - 0.5))
  const end = Math.min(limit, Math.ceil(Math.max(from, to) - 0.5))
  for (let step = first; step < end; step++) {
    const centre = offset + (step + 0.5 - from) * slope
    drawAcross(planes, step, centre - reach, centre + reach, isFlat, pen)
  }
}

function drawAcross(planes: YuvPlanes, step: number, from: number, to: number, isFlat: boolean, pen: Pen): void {
  const last = Math.min(isFlat ? planes.height : planes.width, Math.ceil(to))
  for (let at = Math.max(0, Math.floor(from)); at < last; at++) {
    const share = pen.opacity * (Math.min(to, at + 1) - Math.max(from, at))
    if (isFlat) blend(planes, step, at, pen.colour, share)
    else blend(planes, at, step, pen.colour, share)
  }
}

function blend(planes: YuvPlanes, x: number, y: number, colour: YuvColour, share: number): void {
  const at = y * planes.strideY + x
  planes.y[at]! += share * (colour.y - planes.y[at]!)
  const atColour = (y >> 1) * planes.strideUV + (x >> 1)
  // Four pixels share a colour: each adds its part.
  const part = share * 0.5
  planes.u[atColour]! += part * (colour.u - planes.u[atColour]!)
  planes.v[atColour]! += part * (colour.v - planes.v[atColour]!)
}
