import { expect, test } from 'vitest'
import { isUsableBox, overlapOf } from './box.ts'

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })

test.each([
  { name: 'the same box', a: box(0, 0, 10, 20), b: box(0, 0, 10, 20), margin: 0, overlap: 1 },
  { name: 'half of each', a: box(0, 0, 10, 10), b: box(5, 0, 10, 10), margin: 0, overlap: 1 / 3 },
  { name: 'side by side', a: box(0, 0, 10, 10), b: box(10, 0, 10, 10), margin: 0, overlap: 0 },
  { name: 'side by side, widened', a: box(0, 0, 10, 10), b: box(10, 0, 10, 10), margin: 5, overlap: 1 / 3 },
  { name: 'far apart, widened', a: box(0, 0, 10, 10), b: box(100, 100, 10, 10), margin: 5, overlap: 0 },
])('overlap of $name', ({ a, b, margin, overlap }) => {
  expect(overlapOf(a, b, margin)).toBeCloseTo(overlap)
  expect(overlapOf(b, a, margin)).toBeCloseTo(overlap)
})

test.each([
  { name: 'a plain box', value: box(1, 2, 3, 4), isUsable: true },
  { name: 'one that begins outside the picture', value: box(-5, -5, 10, 10), isUsable: true },
  { name: 'an empty box', value: box(1, 2, 0, 4), isUsable: false },
  { name: 'an inverted box', value: box(1, 2, 3, -4), isUsable: false },
  { name: 'not a number', value: box(NaN, 2, 3, 4), isUsable: false },
  { name: 'endless', value: box(0, 0, Infinity, 4), isUsable: false },
  { name: 'larger than numbers go', value: box(0, 0, 1e200, 1e200), isUsable: false },
])('$name is usable: $isUsable', ({ value, isUsable }) => expect(isUsableBox(value)).toBe(isUsable))
