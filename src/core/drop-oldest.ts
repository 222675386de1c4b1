/** Forgets what was added first, where one more than so many was added. */
export function dropOldest(entries: Map<unknown, unknown> | Set<unknown>, max: number): void {
  if (entries.size > max) entries.delete(entries.keys().next().value)
}
