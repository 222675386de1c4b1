import { expect, test } from 'vitest'
import { judge, type Sample } from './judge.ts'

/** A sample a minute. */
const samplesOf = (minutes: number, memoryAt: (minute: number) => number, part = 'service 7'): Sample[] =>
  Array.from({ length: minutes }, (_, minute) => {
    return { minute, part, memoryMb: memoryAt(minute), handles: 50, threads: 12 }
  })
const growing = (samples: readonly Sample[], minutes: number) =>
  judge(samples, minutes)
    .filter(({ isGrowing }) => isGrowing)
    .map(({ part, measure }) => `${part} ${measure}`)

test.each([
  { name: 'what is flat', memoryAt: () => 200, expected: [] },
  {
    name: 'what grows while it warms up',
    memoryAt: (minute: number) => Math.min(200, 100 + 25 * minute),
    expected: [],
  },
  { name: 'what grows by little', memoryAt: (minute: number) => 200 + minute / 10, expected: [] },
  { name: 'what goes up and down', memoryAt: (minute: number) => 200 + (minute % 2) * 50, expected: [] },
  { name: 'what leaks', memoryAt: (minute: number) => 200 + minute, expected: ['service 7 memoryMb'] },
  {
    name: 'what leaks in a small part',
    memoryAt: (minute: number) => 20 + minute / 9,
    expected: ['service 7 memoryMb'],
  },
])('$name', ({ memoryAt, expected }) => {
  expect(growing(samplesOf(60, memoryAt), 60)).toEqual(expected)
})

test('a part that was replaced is compared with itself only, and a short run with nothing', () => {
  const replaced = [
    ...samplesOf(30, () => 100),
    ...samplesOf(60, () => 900, 'service 8').filter(({ minute }) => minute >= 30),
  ]
  expect(judge(replaced, 60)).toEqual([])
  expect(
    judge(
      samplesOf(10, (minute) => 100 * minute),
      10,
    ),
  ).toEqual([])
})
