import { expect, test } from 'vitest'
import { aLookAt, type SeenIds } from '../../test/builders/recorded-looks.ts'
import { createMinuteCounts, parseMinutes } from './minute-counts.ts'

const T0 = Date.UTC(2026, 10, 16, 3)

function count(looks: readonly (readonly [seconds: number, ids: SeenIds])[], afterId = 0) {
  const counts = createMinuteCounts(afterId)
  for (const [seconds, ids] of looks) counts.add(aLookAt(T0 + seconds * 1000, ids))
  return parseMinutes(counts.toJson())
}

test.each([
  { name: 'nothing seen', looks: [[0, []]], m: {} },
  { name: 'one that stays is new once, and there in each minute', looks: [[0, [1]], [1, [1]], [60, [1]]], m: { 0: [1, 1], 1: [1, 0] } }, // prettier-ignore
  { name: 'several that are new in one look', looks: [[0, [3, 1, 2]]], m: { 0: [3, 3] } },
  {
    name: 'one that comes back is not new',
    looks: [
      [0, [1, 2]],
      [3540, [1, 3]],
    ],
    m: { 0: [2, 2], 59: [2, 1] },
  },
  {
    name: 'without tracking, the most at once',
    looks: [
      [0, [0]],
      [1, [0, 0, 0]],
      [2, [0, 0]],
    ],
    m: { 0: [3, 0] },
  },
  { name: 'of a class that is seen later, zeros before are kept', looks: [[0, [1]], [60, [[2, 'car']]]], m: { 0: [1, 1], 1: [0, 0, 1, 1] } }, // prettier-ignore
  {
    name: 'one whose class changes is of the last one',
    looks: [
      [0, [[1, 'car']]],
      [1, [1]],
    ],
    m: { 0: [1, 1] },
  },
] as const)('$name', ({ looks, m }) => {
  expect(count(looks as Parameters<typeof count>[0]).m).toEqual(m)
})

test('what a file before it had is not new, and the next one goes on from it', () => {
  const stored = count([[0, [5, 6]]], 5)
  expect(stored).toEqual({ classes: ['person'], m: { 0: [2, 1] }, after: 5, last: 6 })
  expect(count([[0, []]], 6)).toMatchObject({ after: 6, last: 6 })
})

test('counts of an hour with ten people are short', () => {
  const looks = Array.from({ length: 3600 }, (_, second) => [second, Array.from({ length: 10 }, (_one, index) => Math.floor(second / 20) + index + 1)] as const) // prettier-ignore
  const stored = count(looks)
  expect(JSON.stringify(stored).length).toBeLessThan(1_000)
  const fresh = Object.values(stored.m).reduce((sum, [, one]) => sum + one!, 0)
  expect(fresh).toBe(stored.last)
})
