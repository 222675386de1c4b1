import { type GreyPicture } from './grey-picture.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface CornerOptions {
  /** Sides of the grid's cells in pixels; each cell gives its best corner, so that corners are spread evenly. */
  readonly cellSize: number
  /** Pixels at the edges where no corner is taken. */
  readonly margin: number
  /** Non-zero where no corner may be, one byte a pixel. */
  readonly mask: Uint8Array
}

/** Least eigenvalue of the mean structure tensor (grey levels² a pixel²): below it a spot is flat or a mere edge. */
const MIN_STRENGTH = 12

/** The strongest corner of each cell, by the smaller eigenvalue of the structure tensor over 3×3 pixels (Shi and Tomasi). */
export function findCorners(picture: GreyPicture, { cellSize, margin, mask }: CornerOptions): Point[] {
  const strength = cornerStrength(picture)
  const { width, height } = picture
  const corners: Point[] = []
  for (let top = margin; top < height - margin; top += cellSize) {
    for (let left = margin; left < width - margin; left += cellSize) {
      const bottom = Math.min(top + cellSize, height - margin)
      const right = Math.min(left + cellSize, width - margin)
      let best = MIN_STRENGTH
      let corner: Point | undefined
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const value = strength[y * width + x]!
          if (value <= best || mask[y * width + x]) continue
          best = value
          corner = { x, y }
        }
      }
      if (corner) corners.push(corner)
    }
  }
  return corners
}

function cornerStrength({ data, width, height, stride }: GreyPicture): Float32Array {
  const size = width * height
  const xx = new Float32Array(size)
  const xy = new Float32Array(size)
  const yy = new Float32Array(size)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * stride + x
      const dx = (data[at + 1]! - data[at - 1]!) / 2
      const dy = (data[at + stride]! - data[at - stride]!) / 2
      const to = y * width + x
      xx[to] = dx * dx
      xy[to] = dx * dy
      yy[to] = dy * dy
    }
  }
  const strength = new Float32Array(size)
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const at = y * width + x
      const a = sumOf3x3(xx, at, width) / 9
      const b = sumOf3x3(xy, at, width) / 9
      const c = sumOf3x3(yy, at, width) / 9
      strength[at] = (a + c) / 2 - Math.sqrt(((a - c) / 2) ** 2 + b * b)
    }
  }
  return strength
}

function sumOf3x3(values: Float32Array, at: number, width: number): number {
  const above = at - width
  const below = at + width
  return (
    values[above - 1]! +
    values[above]! +
    values[above + 1]! +
    values[at - 1]! +
    values[at]! +
    values[at + 1]! +
    values[below - 1]! +
    values[below]! +
    values[below + 1]!
  )
}
