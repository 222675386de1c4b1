import { describe, expect, test } from 'vitest'
import { type Box } from '../../core/detection.ts'
import { createCameraMotionEstimator } from './camera-motion.ts'
import { type Point } from './corners.ts'
import { type GreyPicture } from './grey-picture.ts'
import { identityTransform, type PlaneTransform, transformPoint } from './plane-transform.ts'

const frame = { width: 768, height: 576 }
const small = { width: 256, height: 192 }
const scale = frame.width / small.width
const corners = [
  { x: 0, y: 0 },
  { x: frame.width, y: 0 },
  { x: 0, y: frame.height },
  { x: frame.width, y: frame.height },
]

/** A fixed stream of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16807) % 2147483647) / 2147483647
}

/** An endless ground of blotches: grey levels by place, different for each seed. */
function createGround(seed: number): (x: number, y: number) => number {
  const random = createRandom(seed)
  const grid = Float64Array.from({ length: 64 * 64 }, random)
  const blotch = (x: number, y: number): number => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const [fx, fy] = [smooth(x - column), smooth(y - row)]
    const at = (i: number, j: number): number => grid[((row + j) & 63) * 64 + ((column + i) & 63)]!
    return (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy
  }
  return (x, y) => 30 + 90 * blotch(x / 61, y / 61) + 70 * blotch(x / 23, y / 23) + 40 * blotch(x / 11, y / 11)
}

const smooth = (t: number): number => t * t * (3 - 2 * t)

interface View {
  readonly ground: (x: number, y: number) => number
  /** Where on the ground a pixel of the frame looks. */
  readonly lookAt?: (pixel: Point) => Point
  /** Something that moves by itself, with stripes of its own. */
  readonly object?: Box
  readonly noise?: number
  readonly seed?: number
  readonly gain?: number
}

/** The frame at small size, each pixel the mean of four spots. */
function take({ ground, lookAt = (pixel) => pixel, object, noise = 4, seed = 1, gain = 1 }: View): GreyPicture {
  const random = createRandom(seed)
  const stride = small.width + 16
  const data = new Uint8Array(stride * small.height)
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      let sum = 0
      for (const [dx, dy] of [
        [0.25, 0.25],
        [0.75, 0.25],
        [0.25, 0.75],
        [0.75, 0.75],
      ] as const) {
        const pixel = { x: (x + dx) * scale, y: (y + dy) * scale }
        const isObject =
          object &&
          pixel.x > object.x &&
          pixel.x < object.x + object.width &&
          pixel.y > object.y &&
          pixel.y < object.y + object.height
        const spot = isObject ? { x: pixel.x - object.x + 3000, y: pixel.y - object.y } : lookAt(pixel)
        sum += ground(spot.x, spot.y)
      }
      // The sum of three even deviations is close to a normal one.
      const deviation = (random() + random() + random() - 1.5) * 2 * noise
      data[y * stride + x] = Math.max(0, Math.min(255, (gain * sum) / 4 + deviation))
    }
  }
  return { data, ...small, stride }
}

function motionBetween(before: View, after: View, objects: readonly Box[] = []) {
  const estimator = createCameraMotionEstimator({ frameWidth: frame.width, frameHeight: frame.height })
  estimator.update(take({ seed: 11, ...before }), [])
  return estimator.update(take({ seed: 12, ...after }), objects)
}

/** The largest distance at the frame's corners between a motion and the truth, in pixels of the frame. */
function errorOf(transform: PlaneTransform, truth: (point: Point) => Point): number {
  return Math.max(
    ...corners.map((corner) => {
      const [is, should] = [transformPoint(transform, corner), truth(corner)]
      return Math.hypot(is.x - should.x, is.y - should.y)
    }),
  )
}

const ground = createGround(5)
const centre = { x: frame.width / 2, y: frame.height / 2 }

/** Turned and zoomed about the centre, then shifted; and the way back. */
function similarity(dx: number, dy: number, degrees: number, zoom: number) {
  const cos = Math.cos((degrees * Math.PI) / 180) * zoom
  const sin = Math.sin((degrees * Math.PI) / 180) * zoom
  const there = ({ x, y }: Point): Point => ({
    x: centre.x + dx + cos * (x - centre.x) - sin * (y - centre.y),
    y: centre.y + dy + sin * (x - centre.x) + cos * (y - centre.y),
  })
  const back = ({ x, y }: Point): Point => {
    const [u, v] = [x - dx - centre.x, y - dy - centre.y]
    return { x: centre.x + (cos * u + sin * v) / zoom ** 2, y: centre.y + (cos * v - sin * u) / zoom ** 2 }
  }
  return { there, back }
}

/** The walker's box before, and how far it goes by itself. */
const walker = { x: 250, y: 150, width: 90, height: 220 }
const steps = { x: 25, y: 6 }

describe.each([
  { name: 'a camera that stands still', dx: 0, dy: 0, degrees: 0, zoom: 1 },
  { name: 'a slow pan', dx: 8.3, dy: 2.1, degrees: 0, zoom: 1 },
  { name: 'a pan of 60 pixels', dx: 60, dy: 0, degrees: 0, zoom: 1 },
  { name: 'a pan of 60 pixels askew', dx: -42, dy: 43, degrees: 0, zoom: 1 },
  { name: 'a turn by 2 degrees', dx: 5, dy: 3, degrees: 2, zoom: 1 },
  { name: 'a zoom by 3 %', dx: 0, dy: 0, degrees: 0, zoom: 1.03 },
])('$name', ({ dx, dy, degrees, zoom }) => {
  const { there, back } = similarity(dx, dy, degrees, zoom)
  const moved = { ...walker, x: walker.x + dx + steps.x, y: walker.y + dy + steps.y }

  test.each([
    { name: 'with the walker known', objects: [walker] },
    { name: 'with the walker not known', objects: [] },
  ])('is found to half a pixel, $name', ({ objects }) => {
    const motion = motionBetween({ ground, object: walker }, { ground, lookAt: back, object: moved }, objects)
    expect(errorOf(motion.transform, there)).toBeLessThan(0.5)
    expect(motion.confidence).toBeGreaterThan(0.7)
    expect(motion.isCut).toBe(false)
  })
})

test('a camera that turns on its tripod bends the picture, and that is found too', () => {
  const focal = 1172
  const turn =
    (angle: number) =>
    (point: Point): Point => {
      const [x, y] = [point.x - centre.x, point.y - centre.y]
      const depth = focal * Math.cos(angle) - x * Math.sin(angle)
      return {
        x: centre.x + (focal * (x * Math.cos(angle) + focal * Math.sin(angle))) / depth,
        y: centre.y + (focal * y) / depth,
      }
    }
  const angle = Math.atan(50 / focal)
  const { transform } = motionBetween({ ground }, { ground, lookAt: turn(-angle) })
  expect(errorOf(transform, turn(angle))).toBeLessThan(1)
})

test('a change of exposure is not taken for motion', () => {
  const { transform, isCut } = motionBetween({ ground }, { ground, gain: 0.75 })
  expect(errorOf(transform, (point) => point)).toBeLessThan(0.5)
  expect(isCut).toBe(false)
})

test('a lorry that fills half the view does not move a fixed camera', () => {
  const lorry = { x: 100, y: 60, width: 480, height: 460 }
  const { transform } = motionBetween({ ground, object: lorry }, { ground, object: { ...lorry, x: lorry.x + 30 } })
  expect(errorOf(transform, (point) => point)).toBeLessThan(0.5)
})

test('another scene is a cut', () => {
  expect(motionBetween({ ground }, { ground: createGround(99) })).toEqual({
    transform: identityTransform,
    confidence: 0,
    isCut: true,
  })
})

test('of a flat picture nothing is known', () => {
  const fog = () => 120
  expect(motionBetween({ ground: fog }, { ground: fog })).toEqual({
    transform: identityTransform,
    confidence: 0,
    isCut: false,
  })
})

test('where objects cover everything nothing is known', () => {
  const everything = { x: 0, y: 0, ...frame }
  expect(motionBetween({ ground }, { ground }, [everything])).toMatchObject({ confidence: 0, isCut: false })
})

test('the first picture, and one of another size, have nothing to be compared with', () => {
  const estimator = createCameraMotionEstimator({ frameWidth: 64, frameHeight: 48 })
  const picture = (width: number, height: number) => ({
    data: new Uint8Array(width * height),
    width,
    height,
    stride: width,
  })
  expect(estimator.update(picture(64, 48), [])).toMatchObject({ confidence: 0, isCut: false })
  expect(estimator.update(picture(32, 24), [])).toMatchObject({ confidence: 0, isCut: false })
  expect(estimator.update(picture(1, 1), [])).toMatchObject({ confidence: 0 })
  expect(estimator.update(picture(1, 1), [])).toMatchObject({ confidence: 0 })
})

describe('a camera that has stood still', () => {
  const quiet = { ground, noise: 1 }
  /** Has stood long enough to be glanced at only. */
  function standing() {
    const estimator = createCameraMotionEstimator({ frameWidth: frame.width, frameHeight: frame.height })
    for (const seed of [1, 2, 3]) estimator.update(take({ ...quiet, seed }), [])
    return estimator
  }

  test.each([
    { name: 'a slow pan', dx: 2, dy: 1, degrees: 0, zoom: 1 },
    { name: 'a pan of 60 pixels', dx: 60, dy: 0, degrees: 0, zoom: 1 },
    { name: 'a turn by half a degree', dx: 0, dy: 0, degrees: 0.5, zoom: 1 },
    { name: 'a zoom by 1 %', dx: 0, dy: 0, degrees: 0, zoom: 1.01 },
  ])('begins $name: it is found to half a pixel', ({ dx, dy, degrees, zoom }) => {
    const { there, back } = similarity(dx, dy, degrees, zoom)
    const motion = standing().update(take({ ...quiet, lookAt: back, seed: 4 }), [])
    expect(errorOf(motion.transform, there)).toBeLessThan(0.5)
  })

  test.each([
    { name: 'somebody who walks', view: { object: walker }, objects: [] },
    { name: 'the exposure', view: { gain: 1.05 }, objects: [] },
  ])('is not moved by $name', ({ view, objects }) => {
    const motion = standing().update(take({ ...quiet, ...view, seed: 4 }), objects)
    expect(errorOf(motion.transform, (point) => point)).toBeLessThan(0.3)
  })

  test('drifts: what is too little to see in one picture adds up', () => {
    const estimator = standing()
    const step = 0.3
    let sum = 0
    for (let index = 1; index <= 12; index++) {
      const { back } = similarity(index * step, 0, 0, 1)
      const [, , dx] = estimator.update(take({ ...quiet, lookAt: back, seed: 10 + index }), []).transform
      sum += dx
    }
    expect(sum).toBeCloseTo(12 * step, 0)
  })
})
