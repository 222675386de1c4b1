import { expect, test } from 'vitest'
import { createSenderCounts } from './sender-counts.ts'

const FORGET_AFTER = 1_000

function rig() {
  let nowMs = 0
  const counts = createSenderCounts(FORGET_AFTER, () => nowMs)
  return {
    advance: (from: string, epoch: number, count: number) => counts.advance(from, { epoch, count }),
    pass: (ms: number) => void (nowMs += ms),
  }
}

test('of each sender what counts up is new, also behind a gap; what comes again or from before it is not', () => {
  const { advance } = rig()
  expect([1, 2, 5].map((count) => advance('a', 1, count))).toEqual([true, true, true])
  expect([5, 4, 1].map((count) => advance('a', 1, count))).toEqual([false, false, false])
  expect(advance('b', 1, 1)).toBe(true)
  expect(advance('a', 1, 6)).toBe(true)
})

test('who joins anew begins anew, and nothing of before is new', () => {
  const { advance } = rig()
  expect([advance('a', 1, 7), advance('a', 3, 1)]).toEqual([true, true])
  expect([advance('a', 1, 8), advance('a', 2, 1), advance('a', 3, 1)]).toEqual([false, false, false])
})

test('who is silent for long is forgotten, whatever comes again of it meanwhile, and others are not', () => {
  const { advance, pass } = rig()
  advance('a', 9, 9)
  pass(FORGET_AFTER)
  expect(advance('a', 9, 9)).toBe(false)
  advance('b', 1, 1)
  pass(1)
  // As after its row was removed, which is where the epoch counts.
  expect(advance('a', 1, 1)).toBe(true)
  expect(advance('b', 1, 1)).toBe(false)
})
