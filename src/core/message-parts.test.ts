import { expect, test } from 'vitest'
import { inMessages, MAX_CONTENT_BYTES } from './message-parts.ts'

const sizesOf = (items: readonly string[], maxCount?: number) =>
  [...inMessages(items, maxCount)].map((part) => part.length)

test.each([
  { name: 'nothing is no message', items: [], sizes: [] },
  { name: 'what fits is one', items: Array.from({ length: 100 }, () => 'a'.repeat(500)), sizes: [100] },
  {
    name: 'what does not fit is several',
    items: Array.from({ length: 250 }, () => 'a'.repeat(500)),
    sizes: [119, 119, 12],
  },
  { name: 'letters are counted as bytes', items: Array.from({ length: 100 }, () => 'ä'.repeat(500)), sizes: [59, 41] },
  { name: 'one that fits nowhere is alone', items: ['a', 'b'.repeat(MAX_CONTENT_BYTES), 'c'], sizes: [1, 1, 1] },
])('$name', ({ items, sizes }) => {
  expect(sizesOf(items)).toEqual(sizes)
  expect([...inMessages(items)].flat()).toEqual(items)
})

test('no more than so many are in one', () => expect(sizesOf(['a', 'b', 'c'], 2)).toEqual([2, 1]))
