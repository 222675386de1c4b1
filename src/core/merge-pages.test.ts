import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePages, type MergeOrder } from './merge-pages.ts'
import { type Page } from './page.ts'

/** Numbers, the largest first; each is its own cursor. */
const order: MergeOrder<number> = { cursorOf: String, compare: (one, other) => Number(other) - Number(one) }

/** Reads at least one if there is one, and at most `limit` or what it comes to by then, as a search that gives up early does. */
function readPage(list: readonly number[], cursor: string | undefined, limit: number): Page<number> {
  const rest = list.filter((item) => cursor === undefined || item < Number(cursor))
  const items = rest.slice(0, limit)
  return { items, nextCursor: rest.length > limit ? String(items.at(-1)) : undefined }
}

test.each([
  { name: 'nothing of nothing', pages: [{ items: [], nextCursor: undefined }], items: [], nextCursor: undefined },
  {
    name: 'lists that are at their end are one list',
    pages: [
      { items: [9, 4], nextCursor: undefined },
      { items: [7], nextCursor: undefined },
    ],
    items: [9, 7, 4],
    nextCursor: undefined,
  },
  {
    name: 'what is behind a list that goes on waits for it',
    pages: [
      { items: [9, 8, 6], nextCursor: '6' },
      { items: [7, 5, 1], nextCursor: undefined },
    ],
    items: [9, 8, 7, 6],
    nextCursor: '6',
  },
  {
    name: 'a search that found nothing up to a place holds up what is behind that',
    pages: [
      { items: [], nextCursor: '8' },
      { items: [9, 5], nextCursor: undefined },
    ],
    items: [9],
    nextCursor: '8',
  },
])('$name', ({ pages, items, nextCursor }) => expect(mergePages(pages, 4, order)).toEqual({ items, nextCursor }))

test('page by page every item comes once, in order', () => {
  const lists = fc.uniqueArray(fc.tuple(fc.nat(60), fc.nat(3)), { selector: ([item]) => item, maxLength: 40 })
  fc.assert(
    fc.property(lists, fc.integer({ min: 1, max: 7 }), (items, limit) => {
      const split = [0, 1, 2, 3].map((list) =>
        items.flatMap(([item, at]) => (at === list ? [item] : [])).sort((a, b) => b - a),
      )
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const page = mergePages(
          split.map((list) => readPage(list, cursor, limit)),
          limit,
          order,
        )
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(seen).toEqual(items.map(([item]) => item).sort((a, b) => b - a))
    }),
  )
})
