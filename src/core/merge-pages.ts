import { type Page } from './page.ts'

export interface MergeOrder<T> {
  /** Where an item stands in the list, as a cursor. */
  readonly cursorOf: (item: T) => string
  /** For `sort`: negative where the first comes before the second in the list. */
  readonly compare: (one: string, other: string) => number
}

/**
 * One page of several lists of the same order, of the first page of each behind one cursor. What comes behind the place up to which any of
 * them was read is left for the next page: that list may have something before it.
 */
export function mergePages<T>(pages: readonly Page<T>[], limit: number, order: MergeOrder<T>): Page<T> {
  const { cursorOf, compare } = order
  const [frontier] = pages.flatMap(({ nextCursor }) => nextCursor ?? []).sort(compare)
  const known = pages
    .flatMap(({ items }) => items)
    .filter((item) => frontier === undefined || compare(cursorOf(item), frontier) <= 0)
    .sort((one, other) => compare(cursorOf(one), cursorOf(other)))
  const items = known.slice(0, limit)
  return { items, nextCursor: known.length > limit ? cursorOf(items.at(-1)!) : frontier }
}
