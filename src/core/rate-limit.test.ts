import { expect, test } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

test('a burst is let through, then so many a second, and a pause makes room for the next burst', () => {
  let nowMs = 0
  const limit = createRateLimit({ perSecond: 2, burst: 3, now: () => nowMs })
  const takeUntilRefused = () => {
    let count = 0
    while (limit.take()) count++
    return count
  }
  expect(takeUntilRefused()).toBe(3)
  nowMs += 499
  expect(takeUntilRefused()).toBe(0)
  nowMs += 1
  expect(takeUntilRefused()).toBe(1)
  nowMs += 60_000
  expect(takeUntilRefused()).toBe(3)
})
