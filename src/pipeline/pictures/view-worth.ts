import { type Box, type Size } from '../../core/detection.ts'

/** What is wholly behind something else is still worth this much: it may never be seen better. */
const COVERED_WORTH = 0.3
/** Cut off by the edge of the picture, an object is worth this much of itself. */
const CUT_OFF_WORTH = 0.6
/** Boxes that end within so many pixels of the edge may go on beyond it. */
const EDGE_PIXELS = 2

/**
 * How much of an object can be seen, 0…1, as far as boxes show: `others` are those of the same frame. Whose lower edge is lower stands nearer on
 * the ground, and so in front.
 */
export function viewWorth(box: Box, others: readonly Box[], { width, height }: Size): number {
  const isCutOff =
    box.x <= EDGE_PIXELS ||
    box.y <= EDGE_PIXELS ||
    box.x + box.width >= width - EDGE_PIXELS ||
    box.y + box.height >= height - EDGE_PIXELS
  let covered = 0
  for (const other of others) {
    if (other === box || other.y + other.height <= box.y + box.height) continue
    const share = shareCovered(box, other)
    if (share > covered) covered = share
  }
  return (1 - (1 - COVERED_WORTH) * covered) * (isCutOff ? CUT_OFF_WORTH : 1)
}

function shareCovered(box: Box, other: Box): number {
  const width = Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x)
  const height = Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y)
  return width > 0 && height > 0 ? (width * height) / Math.max(1, box.width * box.height) : 0
}
