import { expect, test } from 'vitest'
import { type EvictionCandidate, chooseEviction } from './eviction.ts'

const NOW_MS = 1_000_000
const one = (name: string, change: Partial<EvictionCandidate> = {}) => ({
  name,
  accountId: 'greedy',
  users: 0,
  usedAtMs: NOW_MS,
  awaySinceMs: null,
  ...change,
})

test.each([
  { rule: 'nobody, when all are in use', all: [one('a'), one('b', { users: 1, usedAtMs: 0 })], gone: undefined },
  {
    rule: 'the one that has been away the longest, though it is in use',
    all: [one('a', { usedAtMs: 0 }), one('b', { awaySinceMs: 20 }), one('c', { awaySinceMs: 10, users: 1 })],
    gone: 'c',
  },
  {
    rule: 'the one that was unused the longest, of the account that has the most',
    all: [one('modest', { accountId: 'modest', usedAtMs: 0 }), one('a', { usedAtMs: 20 }), one('b', { usedAtMs: 10 })],
    gone: 'b',
  },
])('$rule is evicted', ({ all, gone }) => expect(chooseEviction(all, NOW_MS)?.name).toBe(gone))
