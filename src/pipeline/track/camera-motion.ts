import { type Box } from '../../core/detection.ts'
import { findCoarseShift } from './coarse-shift.ts'
import { findCorners, type Point } from './corners.ts'
import { buildPyramid, type GreyPicture } from './grey-picture.ts'
import { type Flow, followPoints } from './optical-flow.ts'
import { identityTransform, inUnits, type PlaneTransform } from './plane-transform.ts'
import { fitRobustly } from './robust-fit.ts'

/** How the background moved from the picture before to this one, in pixels of the input. */
export interface CameraMotion {
  /** Takes a point of the frame before to its place in this one; the identity when it is unknown. */
  readonly transform: PlaneTransform
  /** 0 (unknown) to 1 (many spots all over the picture agree). */
  readonly confidence: number
  /** The scene before and this one have nothing in common. */
  readonly isCut: boolean
}

export interface CameraMotionOptions {
  /** Size of the input, in whose pixels boxes and motions are given. */
  readonly frameWidth: number
  readonly frameHeight: number
}

export interface CameraMotionEstimator {
  /** `objects` are the boxes of what moves by itself in the frame before; they are left out. */
  update(picture: GreyPicture, objects: readonly Box[]): CameraMotion
}

const LEVELS = 4
const CELL_SIZE = 10
const MIN_FLOWS = 8

/**
 * Estimates the motion of the camera from small grey pictures (160 to 320 pixels wide) of one stream: corners of the picture
 * before are followed into this one, and the motion is what most of them share.
 */
export function createCameraMotionEstimator({ frameWidth, frameHeight }: CameraMotionOptions): CameraMotionEstimator {
  let before: GreyPicture[] | undefined

  return {
    update(picture, objects) {
      const after = buildPyramid(picture, LEVELS)
      const last = before
      before = after
      const isComparable = last && last[0]!.width === picture.width && last[0]!.height === picture.height
      if (!isComparable) return { transform: identityTransform, confidence: 0, isCut: false }
      return compare(last, after, objects, { frameWidth, frameHeight })
    },
  }
}

function compare(
  before: readonly GreyPicture[],
  after: readonly GreyPicture[],
  objects: readonly Box[],
  { frameWidth, frameHeight }: CameraMotionOptions,
): CameraMotion {
  const { width, height } = before[0]!
  const scaleX = frameWidth / width
  const scaleY = frameHeight / height
  const coarse = findCoarseShift(before.at(-1)!, after.at(-1)!)
  const guess = { x: coarse.shift.x * 2 ** (LEVELS - 1), y: coarse.shift.y * 2 ** (LEVELS - 1) }
  const corners = cornersOf(before[1]!, objects, 2 * scaleX, 2 * scaleY)
  const flows = followPoints(before.slice(0, 3), after.slice(0, 3), corners, guess)

  const centre = { x: frameWidth / 2, y: frameHeight / 2 }
  const unit = frameWidth / 2
  const inInput = (point: Point): Point => ({
    x: ((point.x + 0.5) * scaleX - centre.x) / unit,
    y: ((point.y + 0.5) * scaleY - centre.y) / unit,
  })
  const scaled: Flow[] = flows.map(({ from, to }) => ({ from: inInput(from), to: inInput(to) }))
  const pixel = scaleX / unit
  const fit = flows.length < MIN_FLOWS ? undefined : fitRobustly(scaled, { wide: 2 * pixel, narrow: 0.6 * pixel })
  const agreeing = fit && fit.inliers >= MIN_FLOWS ? fit.inliers / corners.length : 0
  if (!fit || agreeing < 0.25) {
    return {
      transform: identityTransform,
      confidence: 0,
      isCut: corners.length >= MIN_FLOWS && coarse.correlation < 0.5,
    }
  }
  return {
    transform: inUnits(fit.transform, { x: -centre.x / unit, y: -centre.y / unit }, 1 / unit),
    confidence: Math.min(1, agreeing * 1.5) * Math.min(1, fit.inliers / 24),
    isCut: false,
  }
}

/** Corners outside the objects, found at half size (cheaper, and less taken in by noise), in pixels of the full picture. */
function cornersOf(half: GreyPicture, objects: readonly Box[], scaleX: number, scaleY: number): Point[] {
  const mask = new Uint8Array(half.width * half.height)
  for (const box of objects) {
    const left = Math.max(0, Math.floor(box.x / scaleX) - 1)
    const right = Math.min(half.width, Math.ceil((box.x + box.width) / scaleX) + 1)
    const top = Math.max(0, Math.floor(box.y / scaleY) - 1)
    const bottom = Math.min(half.height, Math.ceil((box.y + box.height) / scaleY) + 1)
    for (let y = top; y < bottom; y++) if (left < right) mask.fill(1, y * half.width + left, y * half.width + right)
  }
  const corners = findCorners(half, { cellSize: CELL_SIZE, margin: 4, mask })
  return corners.map(({ x, y }) => ({ x: 2 * x + 0.5, y: 2 * y + 0.5 }))
}
