import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test.each([
  [0, 250],
  [1, 500],
  [5, 8_000],
  [6, 10_000],
  [1e6, 10_000],
])('after %s failures it waits %s ms', (failures, waitMs) => {
  expect(backoffMs(failures, { firstMs: 250, maxMs: 10_000 })).toBe(waitMs)
})
