import { expect, test } from 'vitest'
import { createTrackMemory } from './track-memory.ts'

test('a track is forgotten when it was not seen for longer than it could come back', () => {
  const memory = createTrackMemory<{ lastSeenMs: number }>()
  memory.set(1, { lastSeenMs: 0 })
  memory.set(2, { lastSeenMs: 1_000 })
  memory.forget(10_000)
  expect([memory.get(1), memory.get(2)]).toEqual([{ lastSeenMs: 0 }, { lastSeenMs: 1_000 }])
  memory.forget(11_000)
  expect([memory.get(1), memory.get(2)]).toEqual([undefined, { lastSeenMs: 1_000 }])
})

test('of too many the oldest are forgotten at once', () => {
  const memory = createTrackMemory<{ lastSeenMs: number }>()
  for (let id = 1; id <= 2_001; id++) memory.set(id, { lastSeenMs: 0 })
  expect([memory.get(1), memory.get(2), memory.get(2_001)]).toEqual([undefined, { lastSeenMs: 0 }, { lastSeenMs: 0 }])
})
