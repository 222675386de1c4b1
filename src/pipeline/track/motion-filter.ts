import { type Box } from '../../core/detection.ts'
import { jacobianAt, type PlaneTransform, transformPoint } from './plane-transform.ts'

/**
 * A Kalman filter of a box: its centre moves on at constant velocity, its size too, but size velocity fades. All noise is in
 * proportion to the box's size and grows with elapsed time, so that any frame rate, even or not, is the same to it.
 * x and y share one covariance, which makes it independent of how the camera is turned; width and height likewise.
 */
export interface MotionFilter {
  /** Standard deviation of the predicted centre, in pixels along each axis. */
  readonly centreDeviation: number
  /** Size that lengths are measured by: the root of the box's area. */
  readonly size: number
  box(): Box
  /** Pixels a second; of the centre, and of width and height. */
  velocity(): { x: number; y: number; width: number; height: number }
  /** `motionNoise`: unforeseen change of the centre's velocity, in sizes / s^1.5 (the root of a white acceleration's density). */
  predict(seconds: number, motionNoise: number): void
  /** Answers how surprising the box's place was: the squared distance in units of what was expected, 1 on average if all noise is right. */
  correct(box: Box): number
  /** Moves everything along with the camera. */
  warp(transform: PlaneTransform): void
}

/** Error of a detection's centre and of its width and height, in sizes. */
const CENTRE_ERROR = 0.075
const SIZE_ERROR = 0.1
/** Unforeseen change of the size's velocity, in sizes / s^1.5. */
const SIZE_NOISE = 0.6
/** What is not known of a new object's velocity, in sizes a second: people, cars and the camera's own motion. */
const CENTRE_SPEED = 2
const SIZE_SPEED = 0.3
/** Time in which the velocity of a size fades to a third: nothing grows for long. */
const SIZE_FADE_SECONDS = 1.8

export function createMotionFilter(first: Box): MotionFilter {
  let { width, height } = first
  let x = first.x + width / 2
  let y = first.y + height / 2
  let velocityX = 0
  let velocityY = 0
  let widthVelocity = 0
  let heightVelocity = 0
  const sizeOf = (): number => Math.sqrt(width * height)
  const centre = createCovariance(CENTRE_ERROR * sizeOf(), CENTRE_SPEED * sizeOf())
  const extent = createCovariance(SIZE_ERROR * sizeOf(), SIZE_SPEED * sizeOf())

  return {
    get centreDeviation() {
      return Math.sqrt(centre.place)
    },
    get size() {
      return sizeOf()
    },
    box: () => ({ x: x - width / 2, y: y - height / 2, width, height }),
    velocity: () => ({ x: velocityX, y: velocityY, width: widthVelocity, height: heightVelocity }),
    predict(seconds, motionNoise) {
      const size = sizeOf()
      const fade = Math.exp(-seconds / SIZE_FADE_SECONDS)
      const reach = SIZE_FADE_SECONDS * (1 - fade)
      x += velocityX * seconds
      y += velocityY * seconds
      width = Math.max(width / 2, width + widthVelocity * reach)
      height = Math.max(height / 2, height + heightVelocity * reach)
      widthVelocity *= fade
      heightVelocity *= fade
      advance(centre, seconds, 1, seconds, motionNoise * size)
      advance(extent, reach, fade, seconds, SIZE_NOISE * size)
    },
    correct(box) {
      const size = sizeOf()
      const place = gainsOf(centre, CENTRE_ERROR * size)
      const offX = box.x + box.width / 2 - x
      const offY = box.y + box.height / 2 - y
      const surprise = (offX ** 2 + offY ** 2) / 2 / place.variance
      x += place.position * offX
      y += place.position * offY
      velocityX += place.velocity * offX
      velocityY += place.velocity * offY
      const stretch = gainsOf(extent, SIZE_ERROR * size)
      const offWidth = box.width - width
      const offHeight = box.height - height
      width += stretch.position * offWidth
      height += stretch.position * offHeight
      widthVelocity += stretch.velocity * offWidth
      heightVelocity += stretch.velocity * offHeight
      return surprise
    },
    warp(transform) {
      const [xx, xy, yx, yy] = jacobianAt(transform, { x, y })
      const zoom = Math.sqrt(Math.abs(xx * yy - xy * yx))
      const to = transformPoint(transform, { x, y })
      const moved = [to.x, to.y, xx * velocityX + xy * velocityY, yx * velocityX + yy * velocityY] as const
      // Past its horizon a projective map throws points anywhere; better to stay.
      if (!moved.every(Number.isFinite) || !(zoom > 0.2 && zoom < 5)) return
      ;[x, y, velocityX, velocityY] = moved
      width *= zoom
      height *= zoom
      widthVelocity *= zoom
      heightVelocity *= zoom
      for (const covariance of [centre, extent]) {
        covariance.place *= zoom * zoom
        covariance.mixed *= zoom * zoom
        covariance.velocity *= zoom * zoom
      }
    },
  }
}

/** What is not known of one coordinate and its velocity: two variances and what they have in common. */
interface Covariance {
  place: number
  mixed: number
  velocity: number
}

function createCovariance(placeDeviation: number, velocityDeviation: number): Covariance {
  return { place: placeDeviation ** 2, mixed: 0, velocity: velocityDeviation ** 2 }
}

/** Carries a covariance on: place += reach · velocity, velocity *= fade, with white acceleration over `seconds`. */
function advance(covariance: Covariance, reach: number, fade: number, seconds: number, motionNoise: number): void {
  const { place, mixed, velocity } = covariance
  const density = motionNoise ** 2
  covariance.place = place + 2 * reach * mixed + reach ** 2 * velocity + (density * seconds ** 3) / 3
  covariance.mixed = fade * (mixed + reach * velocity) + (density * seconds ** 2) / 2
  covariance.velocity = fade ** 2 * velocity + density * seconds
}

/** How much of a surprise to believe, by place and by velocity; the covariance shrinks accordingly. */
function gainsOf(covariance: Covariance, error: number): { position: number; velocity: number; variance: number } {
  const { place, mixed, velocity } = covariance
  const variance = place + error ** 2
  const gains = { position: place / variance, velocity: mixed / variance, variance }
  covariance.place = place * (1 - gains.position)
  covariance.mixed = mixed * (1 - gains.position)
  covariance.velocity = velocity - gains.velocity * mixed
  return gains
}
