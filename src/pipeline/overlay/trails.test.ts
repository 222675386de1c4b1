import { expect, test } from 'vitest'
import { createTrails } from './trails.ts'

const trackAt = (x: number, id = 1) => ({
  id,
  className: 'person',
  confidence: 0.9,
  box: { x: x - 10, y: 100, width: 20, height: 40 },
})

test('a trail leads from where the feet were to where they are', () => {
  const trails = createTrails()
  trails.update(0, [trackAt(50)])
  trails.update(1500, [trackAt(60)])
  const [trail] = trails.update(1550, [trackAt(61)])
  expect(trail!.points.map(({ x, y, age }) => ({ x, y, age }))).toEqual([
    { x: 50, y: 140, age: 1550 / 3000 },
    { x: 60, y: 140, age: 50 / 3000 },
    { x: 61, y: 140, age: 0 },
  ])
})

test('what is older than three seconds is forgotten, and a lost track’s trail goes with it', () => {
  const trails = createTrails()
  trails.update(0, [trackAt(50)])
  trails.update(1000, [trackAt(60)])
  expect(trails.update(3500, [])[0]!.points).toHaveLength(1)
  expect(trails.update(4000, [])).toEqual([])
})

test('who stands still leaves none', () => {
  const trails = createTrails()
  for (let timeMs = 0; timeMs < 2900; timeMs += 40) trails.update(timeMs, [trackAt(50 + (timeMs % 80) / 80)])
  expect(trails.update(2900, [trackAt(50)])[0]!.points).toHaveLength(2)
})

test('a trail holds at most a point every tenth of a second', () => {
  const trails = createTrails()
  let points = 0
  for (let timeMs = 0; timeMs < 20_000; timeMs += 10)
    points = trails.update(timeMs, [trackAt(timeMs)])[0]!.points.length
  expect(points).toBeLessThanOrEqual(31)
})

test('no more than a hundred trails are kept', () => {
  const many = Array.from({ length: 150 }, (_, index) => trackAt(index, index + 1))
  expect(createTrails().update(0, many)).toHaveLength(100)
})

test('trails move along with the picture when the camera does', () => {
  const trails = createTrails()
  trails.update(0, [trackAt(50)])
  trails.carry(({ x, y }) => ({ x: x + 7, y: y - 3 }))
  expect(trails.update(100, [trackAt(80)])[0]!.points[0]).toMatchObject({ x: 57, y: 137 })
})

test('another video begins without trails, and so does everything without tracking', () => {
  const trails = createTrails()
  trails.update(5000, [trackAt(50)])
  expect(trails.update(100, [])).toEqual([])
  expect(trails.update(200, [trackAt(50, 0)])).toEqual([])
})
