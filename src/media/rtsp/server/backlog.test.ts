import { expect, test } from 'vitest'
import { createBacklog } from './backlog.ts'

const limits = { maxQueuedBytes: 1000, maxQueuedMs: 500 }

/** Each step hands over some bytes; `queued` is what the socket holds afterwards, `at` the time. */
function judgeAll(steps: { add: number; queued: number; at: number }[]): string[] {
  const backlog = createBacklog(limits)
  return steps.map(({ add, queued, at }) => {
    backlog.add(add)
    return backlog.judge(queued, at)
  })
}

test('a reader that takes everything keeps up', () => {
  const steps = Array.from({ length: 100 }, (_, i) => ({ add: 400, queued: 0, at: i * 100 }))
  expect(new Set(judgeAll(steps))).toEqual(new Set(['keeps-up']))
})

test('a reader that is always a little behind, but never long, keeps up', () => {
  const steps = Array.from({ length: 100 }, (_, i) => ({ add: 400, queued: 300, at: i * 100 }))
  expect(new Set(judgeAll(steps))).toEqual(new Set(['keeps-up']))
})

test('too many bytes', () => {
  const verdicts = judgeAll([
    { add: 10, queued: 0, at: 0 },
    { add: 600, queued: 600, at: 1 },
    { add: 600, queued: 1200, at: 2 },
  ])
  expect(verdicts).toEqual(['keeps-up', 'keeps-up', 'too-many-bytes'])
})

test('few bytes that wait for too long', () => {
  const verdicts = judgeAll([
    { add: 10, queued: 0, at: 0 },
    { add: 10, queued: 10, at: 100 },
    { add: 10, queued: 20, at: 400 },
    { add: 10, queued: 30, at: 601 },
  ])
  expect(verdicts).toEqual(['keeps-up', 'keeps-up', 'keeps-up', 'too-old'])
})

test('the beginning may be larger than the bound, and its time is its own; after it the bounds hold', () => {
  const verdicts = judgeAll([
    { add: 5000, queued: 5000, at: 0 },
    { add: 500, queued: 5400, at: 2000 },
    { add: 500, queued: 200, at: 3000 },
    { add: 2000, queued: 2200, at: 3001 },
  ])
  expect(verdicts).toEqual(['keeps-up', 'keeps-up', 'keeps-up', 'too-many-bytes'])
})

test('a reader that never takes its beginning is cut off by the bytes', () => {
  const steps = Array.from({ length: 10 }, (_, i) => ({ add: 400, queued: 400 * (i + 1), at: i }))
  expect(judgeAll(steps).indexOf('too-many-bytes')).toBe(3)
})
