/** Does the work for each of them, so many at once, in their order. Rejects as soon as one fails. */
export async function forEachAtOnce<T>(
  items: Iterable<T>,
  maxAtOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  const workThrough = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, workThrough))
}
