import { expect, test } from 'vitest'
import { createTimeLine } from './time-line.ts'

test('within a stretch the stamps decide, however bursty the arrival is', () => {
  const line = createTimeLine()
  expect([0, 40, 80, 120].map((pts, index) => line.place(pts, 5_000 + index))).toEqual([5_000, 5_040, 5_080, 5_120])
})

test('after a loss the time that passed decides where the next stretch begins', () => {
  const line = createTimeLine()
  line.place(7_000, 1_000)
  line.startStretch()
  expect(line.place(0, 4_000)).toBe(4_000)
  expect(line.place(40, 4_300)).toBe(4_040)
})

test.each([
  ['back', 10],
  ['far ahead', 900_000],
])('stamps that jump %s are taken up where they land', (_name, jumped) => {
  const line = createTimeLine()
  line.place(60_000, 1_000)
  expect(line.place(jumped, 1_040)).toBe(1_040)
  expect(line.place(jumped + 40, 1_090)).toBe(1_080)
})

test('pictures that come out of order keep their places', () => {
  const line = createTimeLine()
  expect([0, 120, 40, 80].map((pts) => line.place(pts, 100))).toEqual([100, 220, 140, 180])
})

test('a packet without a stamp stands at its arrival', () => {
  const line = createTimeLine()
  line.place(0, 100)
  expect(line.place(undefined, 160)).toBe(160)
})
