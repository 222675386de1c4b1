import { type Size } from '../../core/detection.ts'
import { heightOf, type Quad, widthOf } from './quad.ts'
import { emptyPicture, type RgbPicture } from './rgb-picture.ts'

/** At most so many samples a side for one pixel of the result. */
const MAX_SAMPLES = 6

/** What stands in the quad, seen straight on. Beyond the picture's edge its last pixels go on. */
export function flattenQuad(picture: RgbPicture, quad: Quad, size: Size): RgbPicture {
  const flat = emptyPicture(size.width, size.height)
  const map = projection(quad)
  // A pixel of the result that covers many of the picture is their mean, or thin strokes would be lost.
  const shrink = Math.max(widthOf(quad) / size.width, heightOf(quad) / size.height)
  const samples = Math.min(MAX_SAMPLES, Math.max(1, Math.round(shrink)))
  const colour = new Float64Array(3)
  for (let y = 0, to = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, to += 3) {
      colour.fill(0)
      for (let sub = 0; sub < samples * samples; sub++) {
        const u = (x + ((sub % samples) + 0.5) / samples) / size.width
        const v = (y + (Math.floor(sub / samples) + 0.5) / samples) / size.height
        addSample(picture, map, u, v, colour)
      }
      for (let channel = 0; channel < 3; channel++) flat.rgb[to + channel] = colour[channel]! / samples ** 2 + 0.5
    }
  }
  return flat
}

type Projection = readonly [number, number, number, number, number, number, number, number]

/** The perspective map of the unit square onto the quad (Heckbert 1989, square to quadrilateral). */
function projection([p0, p1, p2, p3]: Quad): Projection {
  const [dx1, dy1] = [p1.x - p2.x, p1.y - p2.y]
  const [dx2, dy2] = [p3.x - p2.x, p3.y - p2.y]
  const [sx, sy] = [p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y]
  const determinant = dx1 * dy2 - dx2 * dy1
  const isFlat = Math.abs(determinant) < 1e-9
  const g = isFlat ? 0 : (sx * dy2 - dx2 * sy) / determinant
  const h = isFlat ? 0 : (dx1 * sy - sx * dy1) / determinant
  return [
    p1.x - p0.x + g * p1.x,
    p3.x - p0.x + h * p3.x,
    p0.x,
    p1.y - p0.y + g * p1.y,
    p3.y - p0.y + h * p3.y,
    p0.y,
    g,
    h,
  ]
}

function addSample(
  { width, height, rgb }: RgbPicture,
  [a, b, c, d, e, f, g, h]: Projection,
  u: number,
  v: number,
  sum: Float64Array,
): void {
  const w = g * u + h * v + 1
  // Pixel centres lie at halves.
  const x = Math.min(Math.max((a * u + b * v + c) / w - 0.5, 0), width - 1)
  const y = Math.min(Math.max((d * u + e * v + f) / w - 0.5, 0), height - 1)
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [fx, fy] = [x - left, y - top]
  const at = 3 * (top * width + left)
  const right = left + 1 < width ? 3 : 0
  const below = top + 1 < height ? 3 * width : 0
  for (let channel = 0; channel < 3; channel++) {
    const from = at + channel
    const upper = rgb[from]! * (1 - fx) + rgb[from + right]! * fx
    const lower = rgb[from + below]! * (1 - fx) + rgb[from + below + right]! * fx
    sum[channel]! += upper * (1 - fy) + lower * fy
  }
}
