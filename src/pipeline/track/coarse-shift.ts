import { type Point } from './corners.ts'
import { type GreyPicture } from './grey-picture.ts'

export interface CoarseShift {
  /** Whole pixels by which `after` is moved against `before`. */
  readonly shift: Point
  /** How well they agree at that shift: 1 the same picture, 0 nothing in common, below 0 a negative. */
  readonly correlation: number
}

/** Shifts are sought up to this part of the width and the height. */
const REACH = 0.2

/** The shift between two thumbnails (some 32 × 24 pixels) by trying every one. */
export function findCoarseShift(before: GreyPicture, after: GreyPicture): CoarseShift {
  const reachX = Math.round(before.width * REACH)
  const reachY = Math.round(before.height * REACH)
  const offset = meanOf(after) - meanOf(before)
  let best = { x: 0, y: 0 }
  let minDifference = meanDifference(before, after, best, offset, Infinity)
  for (let y = -reachY; y <= reachY; y++) {
    for (let x = -reachX; x <= reachX; x++) {
      const difference = meanDifference(before, after, { x, y }, offset, minDifference)
      if (difference >= minDifference) continue
      minDifference = difference
      best = { x, y }
    }
  }
  return { shift: best, correlation: correlationAt(before, after, best) }
}

function meanOf({ data }: GreyPicture): number {
  return data.reduce((sum, value) => sum + value, 0) / data.length
}

/**
 * Mean absolute difference where the pictures lie on each other, `offset` being that of their brightness. One that exceeds `max` is
 * not counted to its end.
 */
function meanDifference(before: GreyPicture, after: GreyPicture, shift: Point, offset: number, max: number): number {
  const { left, right, top, bottom } = overlap(before, shift)
  const count = (right - left) * (bottom - top)
  const step = shift.y * before.width + shift.x
  let sum = 0
  for (let y = top; y < bottom; y++) {
    const end = y * before.width + right
    for (let at = y * before.width + left; at < end; at++) {
      sum += Math.abs(after.data[at + step]! - before.data[at]! - offset)
    }
    if (sum > max * count) return Infinity
  }
  return sum / count
}

function correlationAt(before: GreyPicture, after: GreyPicture, shift: Point): number {
  const { left, right, top, bottom } = overlap(before, shift)
  const step = shift.y * before.width + shift.x
  const count = (right - left) * (bottom - top)
  let sumA = 0
  let sumB = 0
  let sumAa = 0
  let sumBb = 0
  let sumAb = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const a = before.data[y * before.width + x]!
      const b = after.data[y * before.width + x + step]!
      sumA += a
      sumB += b
      sumAa += a * a
      sumBb += b * b
      sumAb += a * b
    }
  }
  const varianceA = sumAa / count - (sumA / count) ** 2
  const varianceB = sumBb / count - (sumB / count) ** 2
  const covariance = sumAb / count - (sumA / count) * (sumB / count)
  // Two flat pictures have nothing to compare.
  return varianceA < 1 || varianceB < 1 ? 0 : covariance / Math.sqrt(varianceA * varianceB)
}

/** The pixels of `before` that have a partner. Both pictures are packed and equal in size. */
function overlap({ width, height }: GreyPicture, { x, y }: Point) {
  return {
    left: Math.max(0, -x),
    right: Math.min(width, width - x),
    top: Math.max(0, -y),
    bottom: Math.min(height, height - y),
  }
}
