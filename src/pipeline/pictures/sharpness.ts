import { type Box, type Size } from '../../core/detection.ts'

/** Brightness of a picture, as it lies in memory. */
export interface Brightness extends Size {
  readonly bytes: Uint8Array
  /** Bytes from one line to the next, and from one pixel to the next. */
  readonly stride: number
  readonly step: number
  /** Bits beyond the eighth, where two bytes (the lower first) hold a value. */
  readonly extraBits: number
}

/** Points along each side at which it is measured: 324 in all, some microseconds. */
const SAMPLES = 18
/** The longest side at which details are distinguished: of larger ones, finer detail isn't seen in a small picture either. */
const MAX_SIDE = 128
/** Difference between neighbours, of 255, that is half of what sharpness can be. */
const HALF_SHARP = 8
/** What the plainest thing is taken for: it has a picture too. */
const MIN_DIFFERENCE = 1
/** Grid points are moved against each other by parts of it (the golden ratio), or regular patterns would fall between them. */
const GRID_SHIFT = 0.618

/**
 * How sharp what is in a box looks, above 0, below 1: the energy of the differences of brightness between neighbouring points, on a grid. It saturates,
 * so that it weighs less than size: something that comes nearer has softer edges for each pixel.
 */
export function sharpnessOf({ bytes, stride, step, extraBits, width, height }: Brightness, box: Box): number {
  const reach = Math.max(1, Math.round(Math.max(box.width, box.height) / MAX_SIDE))
  const [left, top] = [Math.max(0, Math.floor(box.x)), Math.max(0, Math.floor(box.y))]
  const spanX = Math.min(width, Math.ceil(box.x + box.width)) - left - reach
  const spanY = Math.min(height, Math.ceil(box.y + box.height)) - top - reach
  if (spanX < 1 || spanY < 1) return toSharpness(0)
  const columns = Math.min(SAMPLES, spanX)
  const rows = Math.min(SAMPLES, spanY)
  const [right, below] = [reach * step, reach * stride]
  let sum = 0
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = left + Math.floor(((column + ((row * GRID_SHIFT) % 1)) * spanX) / columns)
      const y = top + Math.floor(((row + ((column * GRID_SHIFT) % 1)) * spanY) / rows)
      const at = y * stride + x * step
      const here = valueAt(at)
      sum += (valueAt(at + right) - here) ** 2 + (valueAt(at + below) - here) ** 2
    }
  }
  return toSharpness(Math.sqrt(sum / (2 * rows * columns)) / 2 ** extraBits)

  function valueAt(at: number): number {
    return extraBits === 0 ? bytes[at]! : bytes[at]! | (bytes[at + 1]! << 8)
  }
}

function toSharpness(measured: number): number {
  const difference = measured + MIN_DIFFERENCE
  return difference / (difference + HALF_SHARP)
}
