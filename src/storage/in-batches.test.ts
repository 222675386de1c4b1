import { expect, test } from 'vitest'
import { inBatches } from './in-batches.ts'

test.each([
  { count: 0, sizes: [] },
  { count: 1, sizes: [1] },
  { count: 500, sizes: [500] },
  { count: 1_001, sizes: [500, 500, 1] },
])('$count values are $sizes, in their order', ({ count, sizes }) => {
  const values = Array.from({ length: count }, (_, index) => index)
  const batches = [...inBatches(values)]
  expect(batches.map(({ length }) => length)).toEqual(sizes)
  expect(batches.flat()).toEqual(values)
})
