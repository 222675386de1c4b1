import { expect, test } from 'vitest'
import { createLineLimit } from './line-limit.ts'

test('so many lines pass in a window, and as many again in the next', () => {
  let nowMs = 0
  const limit = createLineLimit(() => nowMs, 2, 1_000)
  const take = (times: number) => Array.from({ length: times }, () => limit.take())
  expect(take(3)).toEqual([true, true, false])
  nowMs = 999
  expect(limit.take()).toBe(false)
  nowMs = 1_000
  expect(take(3)).toEqual([true, true, false])
})
