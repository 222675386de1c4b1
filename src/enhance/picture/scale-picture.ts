import { type Box, type Size } from '../../core/detection.ts'
import { emptyPicture, type RgbPicture } from './rgb-picture.ts'

/**
 * A part of a picture at another size. Every pixel of the part counts when it gets smaller (a triangle as wide as the
 * step between two pixels of the result), and neighbours are blended when it gets larger.
 */
export function scalePicture(picture: RgbPicture, region: Box, size: Size): RgbPicture {
  const columns = taps(region.x, region.width, size.width, picture.width)
  const rows = taps(region.y, region.height, size.height, picture.height)
  const [top, bottom] = [rows.first.at(0)!, rows.first.at(-1)! + rows.count]
  const narrow = new Float32Array((bottom - top) * size.width * 3)
  for (let y = top, to = 0; y < Math.min(bottom, picture.height); y++) {
    for (let x = 0; x < size.width; x++, to += 3) {
      let from = 3 * (y * picture.width + columns.first[x]!)
      let [red, green, blue] = [0, 0, 0]
      for (let tap = x * columns.count; tap < (x + 1) * columns.count; tap++, from += 3) {
        const weight = columns.weights[tap]!
        if (weight === 0) continue
        red += weight * picture.rgb[from]!
        green += weight * picture.rgb[from + 1]!
        blue += weight * picture.rgb[from + 2]!
      }
      narrow[to] = red
      narrow[to + 1] = green
      narrow[to + 2] = blue
    }
  }
  const scaled = emptyPicture(size.width, size.height)
  const line = 3 * size.width
  for (let y = 0; y < size.height; y++) {
    const start = (rows.first[y]! - top) * line
    for (let x = 0; x < line; x++) {
      let sum = 0
      for (let tap = 0, from = start + x; tap < rows.count; tap++, from += line) {
        const weight = rows.weights[y * rows.count + tap]!
        if (weight !== 0) sum += weight * narrow[from]!
      }
      scaled.rgb[y * line + x] = sum + 0.5
    }
  }
  return scaled
}

/** Which pixels make each pixel of the result, and how much each counts; weights beyond the picture's edge are zero. */
function taps(start: number, length: number, count: number, limit: number) {
  const step = length / count
  const reach = Math.max(1, step)
  const tapCount = Math.ceil(2 * reach) + 1
  const first = new Int32Array(count)
  const weights = new Float32Array(count * tapCount)
  for (let index = 0; index < count; index++) {
    const centre = start + (index + 0.5) * step - 0.5
    const from = Math.min(Math.max(0, Math.floor(centre - reach) + 1), limit - 1)
    first[index] = from
    let sum = 0
    for (let tap = 0; tap < tapCount && from + tap < limit; tap++) {
      const weight = Math.max(0, 1 - Math.abs(from + tap - centre) / reach)
      weights[index * tapCount + tap] = weight
      sum += weight
    }
    if (sum === 0) weights[index * tapCount] = sum = 1
    for (let tap = 0; tap < tapCount; tap++) weights[index * tapCount + tap]! /= sum
  }
  return { first, weights, count: tapCount }
}

/** Every `step`th pixel of every `step`th line: for statistics, which need no smoothness. */
export function thinOut(picture: RgbPicture, step: number): RgbPicture {
  if (step <= 1) return picture
  const thin = emptyPicture(Math.floor(picture.width / step), Math.floor(picture.height / step))
  for (let y = 0, to = 0; y < thin.height; y++) {
    for (let x = 0, from = 3 * y * step * picture.width; x < thin.width; x++, from += 3 * step, to += 3) {
      thin.rgb[to] = picture.rgb[from]!
      thin.rgb[to + 1] = picture.rgb[from + 1]!
      thin.rgb[to + 2] = picture.rgb[from + 2]!
    }
  }
  return thin
}

export function wholeOf({ width, height }: Size): Box {
  return { x: 0, y: 0, width, height }
}
