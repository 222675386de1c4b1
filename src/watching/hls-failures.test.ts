import { expect, test } from 'vitest'
import { createHlsFailures } from './hls-failures.ts'

test('a failure is recent for a second, and its reason is known for longer', () => {
  const clock = { now: 5 }
  const failures = createHlsFailures(() => clock.now)
  expect(failures.find('ann/cam')).toBeUndefined()
  failures.add('ann/cam', 'It is broken.')
  clock.now += 999
  expect(failures.find('ann/cam')).toEqual({ sentence: 'It is broken.', isRecent: true })
  clock.now += 1
  expect(failures.find('ann/cam')).toEqual({ sentence: 'It is broken.', isRecent: false })
})

test('beyond a number of paths the oldest is forgotten', () => {
  const failures = createHlsFailures(() => 0, 2)
  for (const path of ['a', 'b', 'c']) failures.add(path, 'It is broken.')
  expect(['a', 'b', 'c'].map((path) => failures.find(path) !== undefined)).toEqual([false, true, true])
})
