import { expect, test } from 'vitest'
import { removeInParts } from './remove-in-parts.ts'

function createShelf(count: number) {
  const left = Array.from({ length: count }, (_, index) => index)
  const parts: number[] = []
  return {
    left,
    parts,
    list: async (limit: number) => left.slice(0, limit),
    remove: async (items: readonly number[]) => {
      parts.push(items.length)
      left.splice(0, items.length)
    },
  }
}

test.each([
  [0, [0]],
  [99, [99]],
  [100, [100, 0]],
  [250, [100, 100, 50]],
])('%i go in parts of at most a hundred', async (count, parts) => {
  const shelf = createShelf(count)
  expect(await removeInParts(shelf)).toBe(count)
  expect([shelf.left, shelf.parts]).toEqual([[], parts])
})

test('who is told to stop does so after a part', async () => {
  const stopping = new AbortController()
  const shelf = createShelf(250)
  const remove = async (items: readonly number[]) => {
    await shelf.remove(items)
    stopping.abort()
  }
  expect(await removeInParts({ ...shelf, remove, signal: stopping.signal })).toBe(100)
})
