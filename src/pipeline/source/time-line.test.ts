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

test.each([
  ['stands still', () => 500],
  ['counts in a unit of its own', (frame: number) => frame / 90],
  ['runs backwards', (frame: number) => -frame * 30],
])('where the clock of a sender %s, time goes on by what arrives', (_name, stampOf) => {
  const line = createTimeLine()
  const times = Array.from({ length: 100 }, (_, frame) => line.place(stampOf(frame), 1_000 + frame * 40))
  expect(times.slice(-3).map((time) => Math.round(time) - Math.round(times.at(-1)!))).toEqual([-80, -40, 0])
  // And by its stamps again, once they are some.
  const after = Array.from({ length: 100 }, (_, frame) => line.place(9_000 + frame * 50, 5_000 + frame * 40))
  expect(after.at(-1)! - after.at(-2)!).toBe(50)
})

test('what waited somewhere and comes all at once keeps its places', () => {
  const line = createTimeLine()
  const before = Array.from({ length: 50 }, (_, frame) => line.place(frame * 40, frame * 40))
  const burst = Array.from({ length: 100 }, (_, frame) => line.place(2_000 + frame * 40, 6_000 + frame))
  expect(burst.at(-1)! - before.at(-1)!).toBe(4_000)
  expect(burst[1]! - burst[0]!).toBe(40)
})
