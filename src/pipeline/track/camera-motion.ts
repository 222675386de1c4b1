import { type Box } from '../../core/detection.ts'
import { findCoarseShift } from './coarse-shift.ts'
import { findCorners, type Point } from './corners.ts'
import { buildPyramid, copyOf, type GreyPicture } from './grey-picture.ts'
import { type Flow, followPoints } from './optical-flow.ts'
import { identityTransform, inUnits, type PlaneTransform, transformPoint } from './plane-transform.ts'
import { fitRobustly } from './robust-fit.ts'
import { createStillCamera } from './still-camera.ts'

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
/** More corners say no more, and each must be followed. */
const MAX_CORNERS = 130
const MIN_CELL_SIZE = 10
const MIN_FLOWS = 8
/** Pixels of the input at its corners, between two pictures: a camera that moves by less is thought to stand still. */
const MAX_STILL_MOTION = 1

/**
 * Estimates the motion of the camera from small grey pictures (160 to 320 pixels wide) of one stream: corners of the picture
 * before are followed into this one, and the motion is what most of them share. While the camera stands still, a glance at
 * the whole picture is enough.
 */
export function createCameraMotionEstimator({ frameWidth, frameHeight }: CameraMotionOptions): CameraMotionEstimator {
  const camera = createStillCamera()
  /** The picture before, and what of it was needed: its halves only while the camera moves. */
  let before: GreyPicture[] | undefined
  /** How far the picture before was from the reference; undefined while the camera moves. */
  let stood: Point | undefined

  function motionSince(last: GreyPicture[], picture: GreyPicture, objects: readonly Box[]): CameraMotion {
    const scale = { x: frameWidth / picture.width, y: frameHeight / picture.height }
    const mask = maskOf(picture, objects, scale)
    const stands = stood && camera.shiftOf(picture, mask)
    if (stood && stands) {
      const [dx, dy] = [(stands.x - stood.x) * scale.x, (stands.y - stood.y) * scale.y]
      stood = stands
      return { transform: [1, 0, dx, 0, 1, dy, 0, 0, 1], confidence: 1, isCut: false }
    }
    const after = buildPyramid([picture], LEVELS)
    before = after
    const motion = compare(buildPyramid(last, LEVELS), after, mask, { frameWidth, frameHeight })
    camera.setReference(picture)
    stood = motion.confidence > 0 && isSmall(motion.transform) ? { x: 0, y: 0 } : undefined
    return motion
  }

  function isSmall(transform: PlaneTransform): boolean {
    return [0, frameWidth].every((x) =>
      [0, frameHeight].every((y) => {
        const to = transformPoint(transform, { x, y })
        return Math.hypot(to.x - x, to.y - y) < MAX_STILL_MOTION
      }),
    )
  }

  return {
    update(picture, objects) {
      const last = before
      before = [copyOf(picture)]
      const isComparable = last && last[0]!.width === picture.width && last[0]!.height === picture.height
      if (isComparable) return motionSince(last, before[0]!, objects)
      stood = undefined
      return { transform: identityTransform, confidence: 0, isCut: false }
    },
  }
}

function compare(
  before: readonly GreyPicture[],
  after: readonly GreyPicture[],
  mask: Uint8Array,
  { frameWidth, frameHeight }: CameraMotionOptions,
): CameraMotion {
  const { width, height } = before[0]!
  const scaleX = frameWidth / width
  const scaleY = frameHeight / height
  const coarse = findCoarseShift(before.at(-1)!, after.at(-1)!)
  const guess = { x: coarse.shift.x * 2 ** (LEVELS - 1), y: coarse.shift.y * 2 ** (LEVELS - 1) }
  const corners = cornersOf(before[1]!, mask)
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

/** Where things move by themselves: one byte a pixel, at half the size of the picture. */
function maskOf({ width, height }: GreyPicture, objects: readonly Box[], scale: Point): Uint8Array {
  const half = { width: width >> 1, height: height >> 1 }
  const mask = new Uint8Array(half.width * half.height)
  for (const box of objects) {
    const left = Math.max(0, Math.floor(box.x / (2 * scale.x)) - 1)
    const right = Math.min(half.width, Math.ceil((box.x + box.width) / (2 * scale.x)) + 1)
    const top = Math.max(0, Math.floor(box.y / (2 * scale.y)) - 1)
    const bottom = Math.min(half.height, Math.ceil((box.y + box.height) / (2 * scale.y)) + 1)
    for (let y = top; y < bottom; y++) if (left < right) mask.fill(1, y * half.width + left, y * half.width + right)
  }
  return mask
}

/** Found at half size (cheaper, and less taken in by noise), in pixels of the full picture. */
function cornersOf(half: GreyPicture, mask: Uint8Array): Point[] {
  const cellSize = Math.max(MIN_CELL_SIZE, Math.ceil(Math.sqrt((half.width * half.height) / MAX_CORNERS)))
  const corners = findCorners(half, { cellSize, margin: 4, mask })
  return corners.map(({ x, y }) => ({ x: 2 * x + 0.5, y: 2 * y + 0.5 }))
}
