import { expect, test } from 'vitest'
import { createMotionFilter } from './motion-filter.ts'
import { type PlaneTransform } from './plane-transform.ts'

const start = { x: 100, y: 100, width: 40, height: 90 }
const motionNoise = 0.5

/** Feeds a box that moves evenly, seen at these times. */
function watch(times: readonly number[], speed: number) {
  const filter = createMotionFilter(start)
  let last = times[0]!
  for (const time of times.slice(1)) {
    filter.predict(time - last, motionNoise)
    filter.correct({ ...start, x: start.x + speed * time })
    last = time
  }
  return filter
}

test.each([
  { name: 'even frames', times: Array.from({ length: 31 }, (_, i) => i / 10) },
  { name: 'uneven frames', times: [0, 0.03, 0.1, 0.5, 0.52, 0.9, 1, 1.4, 1.41, 2, 2.2, 2.9, 3] },
  { name: 'few frames', times: [0, 1, 2, 3] },
])('velocity in pixels a second is learnt from $name', ({ times }) => {
  const filter = watch(times, 50)
  expect(filter.velocity().x).toBeGreaterThan(44)
  expect(filter.velocity().x).toBeLessThan(56)
  filter.predict(0.5, motionNoise)
  expect(Math.abs(filter.box().x - (start.x + 50 * 3.5))).toBeLessThan(6)
})

test('the longer nothing is seen, the less the place is known', () => {
  const filter = watch([0, 0.1, 0.2, 0.3], 0)
  const deviations = [1, 2, 3].map(() => {
    filter.predict(0.3, motionNoise)
    return filter.centreDeviation
  })
  expect([...deviations].sort((a, b) => a - b)).toEqual(deviations)
})

test('one long prediction is as good as many short ones', () => {
  const once = watch([0, 0.1, 0.2, 0.3], 30)
  const often = watch([0, 0.1, 0.2, 0.3], 30)
  once.predict(1, motionNoise)
  for (let i = 0; i < 20; i++) often.predict(0.05, motionNoise)
  expect(often.box().x).toBeCloseTo(once.box().x, 6)
  expect(often.box().width).toBeCloseTo(once.box().width, 6)
  expect(often.centreDeviation).toBeCloseTo(once.centreDeviation, 6)
})

test('a warp moves, turns and zooms', () => {
  const filter = watch([0, 0.1, 0.2, 0.3, 0.4, 0.5], 40)
  const before = { box: filter.box(), velocity: filter.velocity(), deviation: filter.centreDeviation }
  // A quarter turn and twice the size about the origin.
  filter.warp([0, -2, 0, 2, 0, 0, 0, 0, 1])
  const { box, velocity } = { box: filter.box(), velocity: filter.velocity() }
  expect(box.width).toBeCloseTo(2 * before.box.width)
  expect(box.x + box.width / 2).toBeCloseTo(-2 * (before.box.y + before.box.height / 2))
  expect(velocity.y).toBeCloseTo(2 * before.velocity.x)
  expect(filter.centreDeviation).toBeCloseTo(2 * before.deviation)
})

test.each([
  { name: 'a map with its horizon at the box', transform: [1, 0, 0, 0, 1, 0, -1 / 120, 0, 1] as PlaneTransform },
  { name: 'a map that collapses everything', transform: [0, 0, 5, 0, 0, 5, 0, 0, 1] as PlaneTransform },
])('$name leaves the box where it is', ({ transform }) => {
  const filter = createMotionFilter(start)
  filter.warp(transform)
  expect(filter.box()).toEqual(start)
})

test('a surprise is measured in units of what was expected', () => {
  const calm = watch([0, 0.1, 0.2, 0.3, 0.4], 0)
  calm.predict(0.1, motionNoise)
  expect(calm.correct(start)).toBeLessThan(0.01)
  calm.predict(0.1, motionNoise)
  expect(calm.correct({ ...start, x: 160 })).toBeGreaterThan(5)
})
