import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Stretch } from '../core/recorded-time.ts'
import { addStretch, joinAll } from './joined-stretches.ts'

const stretch = (from: number, to: number): Stretch => ({ from, to })

test.each([
  { name: 'the first', before: [], added: stretch(5, 9), after: [[5, 9]] },
  { name: 'one that goes on', before: [[5, 9]], added: stretch(7, 12), after: [[5, 12]] },
  { name: 'one that follows at once', before: [[5, 9]], added: stretch(9, 12), after: [[5, 12]] },
  {
    name: 'one apart',
    before: [[5, 9]],
    added: stretch(10, 12),
    after: [
      [5, 9],
      [10, 12],
    ],
  },
  {
    name: 'one before all',
    before: [[5, 9]],
    added: stretch(1, 2),
    after: [
      [1, 2],
      [5, 9],
    ],
  },
  {
    name: 'one between',
    before: [
      [1, 2],
      [8, 9],
    ],
    added: stretch(4, 5),
    after: [
      [1, 2],
      [4, 5],
      [8, 9],
    ],
  },
  {
    name: 'one that joins others',
    before: [
      [1, 2],
      [4, 5],
      [8, 9],
    ],
    added: stretch(2, 8),
    after: [[1, 9]],
  },
  { name: 'one within another', before: [[1, 9]], added: stretch(3, 4), after: [[1, 9]] },
])('of stretches that touch one is made: $name', ({ before, added, after }) => {
  const joined = addStretch(
    before.map(([from, to]) => stretch(from!, to!)),
    added,
  )
  expect(joined.map(({ from, to }) => [from, to])).toEqual(after)
})

/** By halves, so that two that only follow each other are apart. */
function coveredBy(stretches: readonly Stretch[]): number[] {
  const halves = stretches.flatMap(({ from, to }) =>
    Array.from({ length: 2 * (to - from) + 1 }, (_, index) => from + index / 2),
  )
  return [...new Set(halves)].toSorted((a, b) => a - b)
}

test('whatever comes in whatever order, all of it is covered, in order and apart', () => {
  const some = fc.array(fc.tuple(fc.nat(200), fc.nat(20)).map(([from, length]) => stretch(from, from + length)))
  fc.assert(
    fc.property(some, (stretches) => {
      const joined = joinAll(stretches)
      expect(coveredBy(joined)).toEqual(coveredBy(stretches))
      expect(joined.slice(1).every(({ from }, index) => from > joined[index]!.to)).toBe(true)
    }),
  )
})

test('of too many none is lost: the oldest are joined', () => {
  const joined = joinAll(Array.from({ length: 2_000 }, (_, index) => stretch(10 * index, 10 * index + 1)))
  expect(joined).toHaveLength(500)
  expect([joined[0], joined.at(-1)]).toEqual([stretch(0, 15_001), stretch(19_990, 19_991)])
})
