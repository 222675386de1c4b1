import { expect, test } from 'vitest'
import { longestGapMs, recoveredAfterMs } from './signal.ts'

const every = (stepMs: number, fromMs: number, toMs: number) =>
  Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, index) => fromMs + index * stepMs)

test.each([
  { name: 'nothing was noticed', times: every(100, 0, 5_000), expected: 0 },
  { name: 'a pause has an end', times: [...every(100, 0, 1_000), ...every(100, 2_500, 5_000)], expected: 1_450 },
  {
    name: 'the last of several pauses counts',
    times: [...every(100, 0, 1_000), ...every(100, 2_000, 2_300), ...every(100, 3_000, 5_000)],
    expected: 1_950,
  },
  {
    name: 'what comes a moment after the fault is of before it',
    times: [...every(100, 0, 1_100)],
    expected: undefined,
  },
  { name: 'it was never there', times: [], expected: undefined },
])('$name', ({ times, expected }) => {
  expect(recoveredAfterMs(times, { faultMs: 1_050, nowMs: 5_050, maxGapMs: 300 })).toBe(expected)
})

test('the longest gap reaches to both ends', () => {
  expect(longestGapMs([1_000, 1_200, 1_900], 1_100, 2_000)).toBe(700)
  expect(longestGapMs([1_000], 1_100, 2_000)).toBe(900)
  expect(longestGapMs([1_000, 1_150], 1_100, 2_000)).toBe(850)
})
