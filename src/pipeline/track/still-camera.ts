import { type Point } from './corners.ts'
import { type GreyPicture } from './grey-picture.ts'

/** Sees at little cost that a camera stands still, as most do most of the time. */
export interface StillCamera {
  /** Later pictures are compared with this one. */
  setReference(picture: GreyPicture): void
  /**
   * By how little the picture is moved against the reference, in its pixels; undefined where it may have moved by more, or
   * nobody can say. `mask` is non-zero at half the size where things move by themselves.
   */
  shiftOf(picture: GreyPicture, mask: Uint8Array): Point | undefined
}

/** Parts that must agree, in columns and rows: a camera that turns or zooms moves each of them another way. */
const PARTS = 2
/** Every so manieth pixel of a line, and line, is looked at. */
const STEP = 2
/** In pixels of the small picture. A camera that moves by less between two pictures is compared with the same reference until it adds up. */
const MAX_SHIFT = 0.15
/** Grey levels: what differs by more is something that moves, or has come. */
const MAX_DIFFERENCE = 25
/** A part of which more has changed says nothing. */
const MAX_CHANGED = 0.3
/** Mean square of the gradient: below it a part is too plain to tell. */
const MIN_TEXTURE = 3
/** Mean square of what a standing camera's pictures differ by: noise, and what compression does to edges. */
const NOISE = 9
const EDGE_SHARE = 0.05

/** One step of Lucas and Kanade for each part of the picture as a whole. */
export function createStillCamera(): StillCamera {
  let reference: GreyPicture | undefined

  return {
    setReference(picture) {
      reference = picture
    },
    shiftOf(picture, mask) {
      const { width, height } = picture
      if (reference?.width !== width || reference.height !== height) return undefined
      let sum = { x: 0, y: 0 }
      let known = 0
      for (let row = 0; row < PARTS; row++) {
        for (let column = 0; column < PARTS; column++) {
          const left = 1 + Math.floor((column * (width - 2)) / PARTS)
          const right = 1 + Math.floor(((column + 1) * (width - 2)) / PARTS)
          const top = 1 + Math.floor((row * (height - 2)) / PARTS)
          const bottom = 1 + Math.floor(((row + 1) * (height - 2)) / PARTS)
          const shift = shiftOfPart(reference, picture, mask, { left, right, top, bottom })
          if (shift === 'moved') return undefined
          if (shift === 'unknown') continue
          sum = { x: sum.x + shift.x, y: sum.y + shift.y }
          known += 1
        }
      }
      // Two parts beside each other at least.
      return known < PARTS ? undefined : { x: sum.x / known, y: sum.y / known }
    },
  }
}

interface Part {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function shiftOfPart(
  before: GreyPicture,
  after: GreyPicture,
  mask: Uint8Array,
  { left, right, top, bottom }: Part,
): Point | 'moved' | 'unknown' {
  const { data: old, stride } = before
  const { data: now } = after
  const halfWidth = after.width >> 1
  let count = 0
  let changed = 0
  let sumX = 0
  let sumY = 0
  let sumD = 0
  let xx = 0
  let xy = 0
  let yy = 0
  let xd = 0
  let yd = 0
  let dd = 0
  for (let y = top; y < bottom; y += STEP) {
    for (let x = left; x < right; x += STEP) {
      if (mask[(y >> 1) * halfWidth + (x >> 1)]) continue
      const at = y * stride + x
      const d = now[y * after.stride + x]! - old[at]!
      count++
      if (d > MAX_DIFFERENCE || d < -MAX_DIFFERENCE) {
        changed++
        continue
      }
      const gx = (old[at + 1]! - old[at - 1]!) / 2
      const gy = (old[at + stride]! - old[at - stride]!) / 2
      sumX += gx
      sumY += gy
      sumD += d
      xx += gx * gx
      xy += gx * gy
      yy += gy * gy
      xd += gx * d
      yd += gy * d
      dd += d * d
    }
  }
  const used = count - changed
  if (used < 100 || changed > MAX_CHANGED * count) return 'unknown'
  // Brightness that changed everywhere is no motion.
  const centred = (product: number, a: number, b: number) => product / used - (a / used) * (b / used)
  const cxx = centred(xx, sumX, sumX)
  const cxy = centred(xy, sumX, sumY)
  const cyy = centred(yy, sumY, sumY)
  const texture = cxx + cyy
  const determinant = cxx * cyy - cxy * cxy
  if (texture < MIN_TEXTURE || determinant < 1e-2 * texture * texture) return 'unknown'
  if (centred(dd, sumD, sumD) > NOISE + EDGE_SHARE * texture) return 'moved'
  const bx = centred(xd, sumX, sumD)
  const by = centred(yd, sumY, sumD)
  const x = -(cyy * bx - cxy * by) / determinant
  const y = -(cxx * by - cxy * bx) / determinant
  return Math.hypot(x, y) > MAX_SHIFT ? 'moved' : { x, y }
}
