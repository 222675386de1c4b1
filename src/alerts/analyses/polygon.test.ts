import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInside, isSelfCrossing, type Point } from './polygon.ts'

const square: Point[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
]
const horseshoe: Point[] = [
  [0, 0],
  [3, 0],
  [3, 3],
  [2, 3],
  [2, 1],
  [1, 1],
  [1, 3],
  [0, 3],
]

test.each<[string, Point[], number, number, boolean]>([
  ['the middle of a square', square, 0.5, 0.5, true],
  ['beside it', square, 1.5, 0.5, false],
  ['above it', square, 0.5, -0.1, false],
  ['a leg of a horseshoe', horseshoe, 0.5, 2, true],
  ['between its legs', horseshoe, 1.5, 2, false],
  ['at the height of its corners', horseshoe, 1.5, 0.999, true],
])('%s', (_name, polygon, x, y, expected) => {
  expect(createInside(polygon)(x, y)).toBe(expected)
  expect(createInside(polygon.toReversed())(x, y)).toBe(expected)
})

test('neighbours share no point, and leave none out', () => {
  const right = square.map(([x, y]): Point => [x + 1, y])
  const coordinate = fc.double({ min: 0.01, max: 0.99, noNaN: true })
  fc.assert(
    fc.property(coordinate, coordinate, (x, y) => {
      expect([square, right].filter((one) => createInside(one)(2 * x, y))).toHaveLength(1)
    }),
  )
  expect([square, right].filter((one) => createInside(one)(1, 0.5))).toHaveLength(1)
})

test.each<[string, Point[], boolean]>([
  ['a square', square, false],
  ['a horseshoe', horseshoe, false],
  ['a triangle', square.slice(0, 3), false],
  ['a bow tie', [square[0]!, square[2]!, square[1]!, square[3]!], true],
  ['one corner given twice', [square[0]!, square[0]!, square[1]!, square[2]!], true],
  [
    'a corner on an edge',
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [1, 0],
      [0, 2],
    ],
    true,
  ],
  [
    'there and back on one line',
    [
      [0, 0],
      [2, 0],
      [1, 0],
    ],
    true,
  ],
  [
    'a corner in the middle of a straight edge',
    [
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 2],
    ],
    false,
  ],
])('%s: crosses itself is %s', (_name, points, expected) => {
  expect(isSelfCrossing(points)).toBe(expected)
  expect(isSelfCrossing(points.toReversed())).toBe(expected)
})
