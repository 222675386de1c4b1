import { describe, expect, test } from 'vitest'
import { createSenderClock, wallClockOf } from './sender-clock.ts'

test('a timestamp’s time is that of the last report and what passed since, also across the wrap', () => {
  const clock = createSenderClock(90_000)
  expect(clock.at(0xffffffff)).toBeUndefined()
  clock.report({ timestamp: 0xffffffff, wallClockMs: 1_000 })
  expect(clock.at(90_000 - 1)).toBe(2_000)
  expect(clock.at(0xffffffff - 9_000)).toBe(900)
})

test('a report does not hold for timestamps that count from elsewhere', () => {
  const clock = createSenderClock(90_000)
  clock.report({ timestamp: 0, wallClockMs: 1_000 })
  clock.at(90_000)
  expect(clock.at(90_000_000)).toBeUndefined()
  clock.report({ timestamp: 90_000_000, wallClockMs: 5_000 })
  expect(clock.at(90_090_000)).toBe(6_000)
})

describe('the wall-clock time of a timestamp', () => {
  const report = { timestamp: 0xffffffff, wallClockMs: 1_000 }

  test.each([
    { name: 'the report itself', timestamp: 0xffffffff, wallClockMs: 1_000 },
    { name: 'later, across the wrap', timestamp: 90_000 - 1, wallClockMs: 2_000 },
    { name: 'earlier', timestamp: 0xffffffff - 9_000, wallClockMs: 900 },
  ])('$name', ({ timestamp, wallClockMs }) => expect(wallClockOf(report, timestamp, 90_000)).toBe(wallClockMs))
})
