import { expect, test } from 'vitest'
import { createSegmentDates } from './segment-dates.ts'

const now = Date.UTC(2026, 0, 1)
const at = (ptsMs: number, lateMs: number, sentAtMs?: number) => ({
  ptsMs,
  arrivedAtMs: now + ptsMs + lateMs,
  sentAtMs,
})

test('the first file began when the quickest of its first pictures says, not when its keyframe arrived', () => {
  const dates = createSegmentDates()
  // The keyframe waited for a reader for three seconds.
  expect(dates.begin(at(0, 3_000))).toBe(now + 3_000)
  dates.observe(at(40, 2_960))
  dates.observe(at(5_000, 20))
  dates.observe(at(6_000, 80))
  expect(dates.end()).toBe(now + 20)
})

test('what comes later than ten seconds dates nothing any more', () => {
  const dates = createSegmentDates()
  dates.begin(at(0, 100))
  dates.observe(at(11_000, -500))
  expect(dates.end()).toBe(now + 100)
})

test('each later file begins where the stream’s time says, however its first picture trembled', () => {
  const dates = createSegmentDates()
  dates.begin(at(0, 20))
  expect(dates.begin(at(60_000, 700))).toBe(now + 60_020)
  dates.observe(at(60_040, 30))
  expect(dates.end()).toBe(now + 60_020)
  expect(dates.begin(at(120_000, 20))).toBe(now + 120_020)
})

test('no picture is there before it was taken: what arrives sooner sets this file right, and those that follow', () => {
  const dates = createSegmentDates()
  // While the machine was busy.
  dates.begin(at(0, 400))
  dates.begin(at(60_000, 700))
  dates.observe(at(61_000, 30))
  expect(dates.end()).toBe(now + 60_030)
  expect(dates.begin(at(120_000, 300))).toBe(now + 120_030)
  expect(dates.begin(at(180_000, 10))).toBe(now + 180_010)
})

test('what the sender says is not corrected by arrival, whose clock may be another', () => {
  const dates = createSegmentDates()
  dates.begin(at(0, 0, now + 900))
  dates.begin(at(60_000, 0, now + 60_900))
  dates.observe(at(61_000, -10))
  expect(dates.end()).toBe(now + 60_900)
})

test.each([
  ['later', 1_200],
  ['earlier, as after the clock was set', -30_000],
])('unless it arrives much %s', (_how, lateMs) => {
  const dates = createSegmentDates()
  dates.begin(at(0, 0))
  expect(dates.begin(at(60_000, lateMs))).toBe(now + 60_000 + lateMs)
})

test('the sender’s clock dates each file, also one whose keyframe came before it was known', () => {
  const dates = createSegmentDates()
  dates.begin(at(0, 500))
  dates.observe(at(4_000, 0, now + 4_000 - 250))
  expect(dates.end()).toBe(now - 250)
  expect(dates.begin(at(60_000, 0, now + 59_740.4))).toBe(now + 59_740)
})

test('a sender’s clock that was never set does not', () => {
  const dates = createSegmentDates()
  expect(dates.begin(at(0, 0, 0))).toBe(now)
})
