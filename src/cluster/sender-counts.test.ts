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
  expect([1, 2, 5].map((count) => advance('a', 1, count))).toEqual(['new', 'new', 'behind-gap'])
  expect([5, 4, 1].map((count) => advance('a', 1, count))).toEqual(['old', 'old', 'old'])
  expect(advance('b', 1, 1)).toBe('new')
  expect(advance('a', 1, 6)).toBe('new')
})

test('who joins anew begins anew, and nothing of before is new', () => {
  const { advance } = rig()
  expect([advance('a', 1, 7), advance('a', 3, 1), advance('b', 1, 7), advance('b', 2, 2)]).toEqual([
    'new',
    'new',
    'new',
    'behind-gap',
  ])
  expect([advance('a', 1, 8), advance('a', 2, 1), advance('a', 3, 1)]).toEqual(['old', 'old', 'old'])
})

test('who is silent for long is forgotten, whatever comes again of it meanwhile, and others are not', () => {
  const { advance, pass } = rig()
  advance('a', 9, 9)
  pass(FORGET_AFTER)
  expect(advance('a', 9, 9)).toBe('old')
  advance('b', 1, 1)
  pass(1)
  // As after its row was removed, which is where the epoch counts.
  expect(advance('a', 1, 1)).toBe('new')
  expect(advance('b', 1, 1)).toBe('old')
})
