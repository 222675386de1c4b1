import { expect, test } from 'vitest'
import { spanLimitsMs, spanOf } from './seen-across.store.ts'

test.each([
  [0, 0],
  [999, 0],
  [1_000, 1],
  [3_999, 1],
  [4_000, 2],
  [86_400_000, 9],
  [1e12, 13],
])('what lasts %i ms is of step %i', (durationMs, step) => {
  expect(spanOf(durationMs)).toBe(step)
  expect(durationMs).toBeLessThan(spanLimitsMs[step] ?? Infinity)
})
