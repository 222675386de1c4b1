import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createVideoTimes } from './video-times.ts'

test('video that has stopped gets older', async () => {
  const clock = createFakeClock(100_000)
  const times = createVideoTimes(clock)
  expect(times.find('ann/cam')).toBeNull()
  times.note('ann/cam', 400)
  await clock.advance(2_000)
  expect(times.find('ann/cam')).toEqual({ atMs: 99_600, ageMs: 2_400 })
})

test('of too many paths the one without video for the longest time is forgotten', async () => {
  const clock = createFakeClock()
  const times = createVideoTimes(clock, 2)
  for (const path of ['ann/a', 'ann/b', 'ann/a', 'ann/c']) {
    await clock.advance(1_000)
    times.note(path, 0)
  }
  expect(times.find('ann/b')).toBeNull()
  expect(times.find('ann/a')).toMatchObject({ ageMs: 1_000 })
  expect(times.find('ann/c')).toMatchObject({ ageMs: 0 })
})
