import { expect, test } from 'vitest'
import { createWindowedMinimum } from './windowed-minimum.ts'

test.each([
  {
    name: 'the smallest counts in its window and the next, and is forgotten then',
    added: [
      [0, 5],
      [50, 3],
      [100, 7],
      [199, 8],
      [200, 9],
    ],
    smallest: [5, 3, 3, 3, 7],
  },
  {
    name: 'a clock that is set back begins a window too',
    added: [
      [1_000, 5],
      [10, 9],
      [110, 9],
    ],
    smallest: [5, 5, 9],
  },
] as const)('$name', ({ added, smallest }) => {
  const minimum = createWindowedMinimum(100)
  expect(added.map(([atMs, value]) => minimum.add(value, atMs))).toEqual(smallest)
})
