import { expect, test } from 'vitest'
import { intersectionArea } from '../../core/detection.ts'
import { createLabelPlacer } from './label-placement.ts'

const picture = { width: 640, height: 360 }
const label = { width: 100, height: 14 }

test.each([
  { name: 'stands above its box', box: { x: 200, y: 100, width: 40, height: 80 }, place: { x: 200, y: 86 } },
  { name: 'goes inside a box at the top edge', box: { x: 200, y: 6, width: 40, height: 80 }, place: { x: 200, y: 6 } },
  { name: 'stays in at the right edge', box: { x: 600, y: 100, width: 40, height: 80 }, place: { x: 540, y: 86 } },
  { name: 'stays in at the left edge', box: { x: -20, y: 100, width: 40, height: 80 }, place: { x: 0, y: 86 } },
  { name: 'stays in below', box: { x: 200, y: 350, width: 40, height: 80 }, place: { x: 200, y: 336 } },
])('a label $name', ({ box, place }) => {
  expect(createLabelPlacer().place([{ id: 1, box, ...label }], picture)).toEqual([{ ...place, ...label }])
})

test('labels of neighbours don’t cover each other', () => {
  const boxes = [200, 230, 260].map((x) => ({ x, y: 100, width: 40, height: 80 }))
  const wishes = boxes.map((box, index) => ({ id: index + 1, box, ...label }))
  const [a, b, c] = createLabelPlacer().place(wishes, picture)
  expect([intersectionArea(a!, b!), intersectionArea(a!, c!), intersectionArea(b!, c!)]).toEqual([0, 0, 0])
})

test('a label that had to make room doesn’t jump back and forth at the limit', () => {
  const placer = createLabelPlacer()
  const placesAt = (x: number) => {
    const near = { x: 100, y: 100, width: 40, height: 80 }
    const wishes = [near, { ...near, x }].map((box, index) => ({ id: index + 1, box, ...label }))
    return placer.place(wishes, picture)[1]!.y
  }
  expect(placesAt(199)).toBe(180)
  expect(placesAt(201)).toBe(180)
  expect(placesAt(204)).toBe(86)
  expect(placesAt(200)).toBe(86)
})

test('a label that is wider than the picture begins at its edge', () => {
  const box = { x: 10, y: 30, width: 20, height: 20 }
  const [place] = createLabelPlacer().place([{ id: 1, box, ...label }], { width: 64, height: 64 })
  expect(place).toMatchObject({ x: 0, y: 16 })
})
