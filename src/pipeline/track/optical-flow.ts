import { type Point } from './corners.ts'
import { type GreyPicture } from './grey-picture.ts'

/** A spot and where it has gone, in pixels of the pyramids' first level. */
export interface Flow {
  readonly from: Point
  readonly to: Point
}

const WINDOW_RADIUS = 4
const side = 2 * WINDOW_RADIUS + 1
const rim = side + 2
/** Steps to the best shift, on the way and at the end; most spots need two or three. */
const MAX_STEPS = { stays: 6, passes: 6, ends: 10 }
/** Pixels below which a step is the last. */
const smallStep = { stays: 0.02, passes: 0.1, ends: 0.02 }
/** Mean difference of grey levels, after evening out brightness, above which a spot was not found again. */
const MAX_RESIDUAL = 14

/** A spot that stays differs by less than this part of its contrast, and moves by less than this many pixels. */
const MAX_STILL_SHARE = 0.5
const MAX_STILL_SHIFT = 1

// One call at a time uses these; nothing here awaits.
const patch = new Float32Array(rim * rim)
const template = new Float32Array(side * side)
const gradientX = new Float32Array(side * side)
const gradientY = new Float32Array(side * side)
const sample = new Float32Array(side * side)

/**
 * Follows spots from one picture to the next, coarse to fine (Lucas and Kanade on pyramids), to a fraction of a pixel.
 * The mean brightness of each window is taken out, so that a changing exposure does no harm. `guess` is the shift that
 * most of the picture is thought to have made. Spots that get lost are left out.
 */
export function followPoints(
  before: readonly GreyPicture[],
  after: readonly GreyPicture[],
  points: readonly Point[],
  guess: Point,
): Flow[] {
  const flows: Flow[] = []
  for (const from of points) {
    const to = followPoint(before, after, from, guess)
    if (to) flows.push({ from, to })
  }
  return flows
}

function followPoint(
  before: readonly GreyPicture[],
  after: readonly GreyPicture[],
  from: Point,
  guess: Point,
): Point | undefined {
  const still = refineShift(before[0]!, after[0]!, from, { x: 0, y: 0 }, 'stays')
  if (still) return { x: from.x + still.x, y: from.y + still.y }
  let shift = guess
  for (let level = before.length - 1; level >= 0; level--) {
    const scale = 1 / 2 ** level
    const spot = { x: (from.x + 0.5) * scale - 0.5, y: (from.y + 0.5) * scale - 0.5 }
    const start = { x: shift.x * scale, y: shift.y * scale }
    const refined = refineShift(before[level]!, after[level]!, spot, start, level === 0 ? 'ends' : 'passes')
    if (refined) shift = { x: refined.x / scale, y: refined.y / scale }
    else if (level === 0) return undefined
  }
  return { x: from.x + shift.x, y: from.y + shift.y }
}

/**
 * Moves a shift to where the windows agree best. With `stays` it must agree from the start: a spot that has hardly moved is
 * found at once, whatever moves around it. With `ends` it must agree at last; with `passes` a rough answer will do.
 */
function refineShift(
  before: GreyPicture,
  after: GreyPicture,
  { x, y }: Point,
  start: Point,
  purpose: 'stays' | 'passes' | 'ends',
): Point | undefined {
  if (!samplePatch(before, x, y, WINDOW_RADIUS + 1, patch)) return undefined
  const { xx, xy, yy, determinant, contrast } = prepareTemplate()
  if (determinant < 1e-3 * (xx + yy) ** 2 || xx + yy < side) return undefined

  let shiftX = start.x
  let shiftY = start.y
  let residual = Infinity
  for (let step = 0; step < MAX_STEPS[purpose]; step++) {
    if (!samplePatch(after, x + shiftX, y + shiftY, WINDOW_RADIUS, sample)) return undefined
    let mean = 0
    for (let i = 0; i < sample.length; i++) mean += sample[i]!
    mean /= sample.length
    let bx = 0
    let by = 0
    residual = 0
    for (let i = 0; i < sample.length; i++) {
      const difference = template[i]! - (sample[i]! - mean)
      bx += difference * gradientX[i]!
      by += difference * gradientY[i]!
      residual += Math.abs(difference)
    }
    if (step === 0 && purpose === 'stays' && residual > MAX_STILL_SHARE * contrast) return undefined
    const stepX = (yy * bx - xy * by) / determinant
    const stepY = (xx * by - xy * bx) / determinant
    shiftX += stepX
    shiftY += stepY
    if (Math.abs(stepX) + Math.abs(stepY) < smallStep[purpose]) break
  }
  if (purpose !== 'passes' && residual > MAX_RESIDUAL * sample.length) return undefined
  if (purpose === 'stays' && Math.hypot(shiftX, shiftY) > MAX_STILL_SHIFT) return undefined
  return { x: shiftX, y: shiftY }
}

/** Fills template and gradients from the patch around the spot; answers the structure tensor and the sum of contrasts. */
function prepareTemplate(): { xx: number; xy: number; yy: number; determinant: number; contrast: number } {
  let mean = 0
  let xx = 0
  let xy = 0
  let yy = 0
  for (let row = 0, i = 0; row < side; row++) {
    for (let column = 0; column < side; column++, i++) {
      const at = (row + 1) * rim + column + 1
      const value = patch[at]!
      const dx = (patch[at + 1]! - patch[at - 1]!) / 2
      const dy = (patch[at + rim]! - patch[at - rim]!) / 2
      template[i] = value
      gradientX[i] = dx
      gradientY[i] = dy
      mean += value
      xx += dx * dx
      xy += dx * dy
      yy += dy * dy
    }
  }
  mean /= template.length
  let contrast = 0
  for (let i = 0; i < template.length; i++) {
    template[i]! -= mean
    contrast += Math.abs(template[i]!)
  }
  return { xx, xy, yy, determinant: xx * yy - xy * xy, contrast }
}

/** Samples a square around (x, y) with bilinear weights; false where it leaves the picture. */
function samplePatch(
  { data, width, height, stride }: GreyPicture,
  x: number,
  y: number,
  reach: number,
  out: Float32Array,
): boolean {
  const left = Math.floor(x) - reach
  const top = Math.floor(y) - reach
  const count = 2 * reach + 1
  if (!(left >= 0 && top >= 0 && left + count < width && top + count < height)) return false
  const fx = x - Math.floor(x)
  const fy = y - Math.floor(y)
  const a = (1 - fx) * (1 - fy)
  const b = fx * (1 - fy)
  const c = (1 - fx) * fy
  const d = fx * fy
  for (let row = 0, to = 0; row < count; row++) {
    for (let column = 0, at = (top + row) * stride + left; column < count; column++, at++, to++) {
      out[to] = a * data[at]! + b * data[at + 1]! + c * data[at + stride]! + d * data[at + stride + 1]!
    }
  }
  return true
}
