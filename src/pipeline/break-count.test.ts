import { expect, test } from 'vitest'
import { createBreakCount } from './break-count.ts'

test('what comes after a break of over two seconds is counted apart', () => {
  const breaksUntil = createBreakCount()
  expect([0, 140, 280, 2_280, 2_420, 4_421, 4_560, 100].map(breaksUntil)).toEqual([0, 0, 0, 0, 0, 1, 1, 2])
})
