export interface RemovalInParts<Item> {
  /** At most so many of what is left. */
  readonly list: (limit: number) => Promise<readonly Item[]>
  readonly remove: (items: readonly Item[]) => Promise<void>
  readonly signal?: AbortSignal
}

const PART = 100

/** Removes all that is listed, a part at a time, so that nothing else waits for long. Answers how many. */
export async function removeInParts<Item>({ list, remove, signal }: RemovalInParts<Item>): Promise<number> {
  let removed = 0
  while (!signal?.aborted) {
    const items = await list(PART)
    await remove(items)
    removed += items.length
    if (items.length < PART) break
  }
  return removed
}
