import { expect, test } from 'vitest'
import { type Box, intersectionArea, intersectionOverUnion } from './detection.ts'

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })

test.each([
  { name: 'the same box', a: box(0, 0, 10, 10), b: box(0, 0, 10, 10), area: 100, overlap: 1 },
  { name: 'half of it shared', a: box(0, 0, 10, 10), b: box(5, 0, 10, 10), area: 50, overlap: 50 / 150 },
  { name: 'one inside the other', a: box(0, 0, 10, 10), b: box(2, 2, 5, 5), area: 25, overlap: 0.25 },
  { name: 'touching at an edge', a: box(0, 0, 10, 10), b: box(10, 0, 10, 10), area: 0, overlap: 0 },
  { name: 'apart on both axes', a: box(0, 0, 10, 10), b: box(20, 20, 10, 10), area: 0, overlap: 0 },
  { name: 'two without an area', a: box(1, 1, 0, 0), b: box(1, 1, 0, 0), area: 0, overlap: 0 },
])('overlap of boxes: $name', ({ a, b, area, overlap }) => {
  expect(intersectionArea(a, b)).toBe(area)
  expect(intersectionOverUnion(a, b)).toBeCloseTo(overlap)
  expect(intersectionOverUnion(b, a)).toBeCloseTo(overlap)
})
