import { type Box, type Size } from '../../core/detection.ts'
import { type ObjectSize } from '../../core/object-size.ts'
import { type Lens } from './lens.ts'

export interface SizeDistance {
  readonly distanceM: number
  /** One standard deviation. */
  readonly errorM: number
}

/** A box that comes this close to the picture's edge may go on outside it. */
const EDGE_PIXELS = 2
/** How well a box's side is known: of its length, and in pixels. */
const BOX_SHARE = 0.05
const BOX_PIXELS = 1

/**
 * How far away something of a known size is that looks as large as the box. The size is taken to lie across the line of
 * sight. None when the box is cut by the picture's edge along the measured side.
 */
export function distanceBySize(lens: Lens, frame: Size, box: Box, size: ObjectSize): SizeDistance | undefined {
  const [acrossX, acrossY] = [box.width / lens.focalX, box.height / lens.focalY]
  const isByHeight = size.side === 'height' || acrossY >= acrossX
  const across = isByHeight ? acrossY : acrossX
  const pixels = isByHeight ? box.height : box.width
  if (!(across > 0) || (isByHeight ? isCutVertically(box, frame) : isCutSideways(box, frame))) return undefined

  // A pinhole shows things by their depth; off the axis the line of sight is longer.
  const x = (box.x + box.width / 2 - lens.centreX) / lens.focalX
  const y = (box.y + box.height / 2 - lens.centreY) / lens.focalY
  const distanceM = (size.size_m / across) * Math.sqrt(1 + x * x + y * y)
  return { distanceM, errorM: distanceM * Math.hypot(size.spread, BOX_SHARE, BOX_PIXELS / pixels) }
}

export function isCutBelow(box: Box, frame: Size): boolean {
  return box.y + box.height > frame.height - EDGE_PIXELS
}

function isCutVertically(box: Box, frame: Size): boolean {
  return box.y < EDGE_PIXELS || isCutBelow(box, frame)
}

function isCutSideways(box: Box, frame: Size): boolean {
  return box.x < EDGE_PIXELS || box.x + box.width > frame.width - EDGE_PIXELS
}
