import { expect, test } from 'vitest'
import { HlsFailure } from './hls-failure.ts'
import { createHlsFailures } from './hls-failures.ts'

const failure = new HlsFailure('It is broken.')

test('a failure is recent for a second, and its reason is known for longer', () => {
  const clock = { now: 5 }
  const failures = createHlsFailures(() => clock.now)
  expect(failures.find('ann/cam')).toBeUndefined()
  failures.add('ann/cam', failure)
  clock.now += 999
  expect(failures.find('ann/cam')).toEqual({ failure, isRecent: true })
  clock.now += 1
  expect(failures.find('ann/cam')).toEqual({ failure, isRecent: false })
})

test('beyond a number of paths the oldest is forgotten', () => {
  const failures = createHlsFailures(() => 0, 2)
  for (const path of ['a', 'b', 'c']) failures.add(path, failure)
  expect(['a', 'b', 'c'].map((path) => failures.find(path) !== undefined)).toEqual([false, true, true])
})
