import { expect, test } from 'vitest'
import { unwrapRing } from './unwrap-ring.ts'

test('a coast that is nowhere near 180° stays as it is', () => {
  expect(
    unwrapRing([
      [1, 2],
      [3, 4],
      [1, 2],
    ]),
  ).toEqual([
    [1, 2],
    [3, 4],
    [1, 2],
  ])
})

test('a coast across 180° goes on beyond it, and comes back', () => {
  expect(
    unwrapRing([
      [170, 65],
      [-170, 66],
      [-175, 64],
      [170, 65],
    ]),
  ).toEqual([
    [170, 65],
    [190, 66],
    [185, 64],
    [170, 65],
  ])
})

test('a coast around a pole is closed along the edge of the map', () => {
  expect(
    unwrapRing([
      [-180, -80],
      [-60, -70],
      [60, -70],
      [180, -80],
    ]),
  ).toEqual([
    [-180, -80],
    [-60, -70],
    [60, -70],
    [180, -80],
    [180, -85],
    [-180, -85],
  ])
})
