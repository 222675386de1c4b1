import { expect, test } from 'vitest'
import { createStartPace } from './start-pace.ts'

test('so many starts of one name in a minute, the next when the oldest is a minute ago; other names are their own', () => {
  let nowMs = 0
  const pace = createStartPace(() => nowMs, 3, 60_000)
  const waits = [0, 1_000, 2_000, 3_000, 59_999, 60_000, 60_500].map((atMs) => {
    nowMs = atMs
    return pace.take('ann/cam')
  })
  expect(waits).toEqual([0, 0, 0, 57_000, 1, 0, 500])
  expect(pace.take('ann/other')).toBe(0)
})

test('who begins ten times a second begins ten times a minute', () => {
  let nowMs = 0
  const pace = createStartPace(() => nowMs)
  let started = 0
  for (; nowMs < 600_000; nowMs += 100) if (pace.take('ann/cam') === 0) started++
  expect(started).toBe(100)
})
