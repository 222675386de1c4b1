import { expect, test } from 'vitest'
import { createFrameClock } from './frame-clock.ts'

test('nothing has passed before the first frame, nor at it', () => {
  const clock = createFrameClock()
  expect([clock.nowMs, clock.typicalSeconds, clock.secondsUntil(5000)]).toEqual([0, 0, 0])
  expect(clock.advance(5000)).toEqual({ seconds: 0, isNewTimeline: false, typicalBefore: 0 })
  expect([clock.nowMs, clock.secondsUntil(5500), clock.secondsUntil(4500)]).toEqual([5000, 0.5, -0.5])
})

test.each([
  { name: 'a frame out of order takes no time', times: [1000, 1100, 200], seconds: 0, isNewTimeline: false, now: 1100 },
  { name: 'time that runs far back begins anew', times: [1000, 1100, 99], seconds: 0, isNewTimeline: true, now: 99 },
  { name: 'time goes on from there', times: [9000, 99, 199], seconds: 0.1, isNewTimeline: false, now: 199 },
])('$name', ({ times, seconds, isNewTimeline, now }) => {
  const clock = createFrameClock()
  const ticks = times.map((timeMs) => clock.advance(timeMs))
  expect([ticks.at(-1), clock.nowMs]).toMatchObject([{ seconds, isNewTimeline }, now])
})

test('a gap changes what is typical a little, and not before it is over', () => {
  const clock = createFrameClock()
  for (const timeMs of [0, 100, 200, 300]) clock.advance(timeMs)
  expect(clock.typicalSeconds).toBeCloseTo(0.1)
  expect(clock.advance(1300).typicalBefore).toBeCloseTo(0.1)
  expect(clock.typicalSeconds).toBeCloseTo(0.19)
})

test.each([NaN, Infinity])('%d is no time', (timeMs) => {
  expect(() => createFrameClock().advance(timeMs)).toThrow('must be a number of milliseconds')
})
