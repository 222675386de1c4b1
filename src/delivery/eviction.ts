/** A connection to a broker, as far as it matters for keeping it. */
export interface EvictionCandidate {
  /** Whose it is. */
  readonly accountId: string
  readonly users: number
  readonly usedAtMs: number
  /** Since when there is no connection; null while there is one. */
  readonly awaySinceMs: number | null
}

/** A connection that was used within this time is in use: what fails is tried again far sooner. */
export const IN_USE_MS = 60_000

/**
 * Which of these is closed when another broker needs its place: the one that has been away the longest, in use or not. If
 * all are connected, one that nobody uses, of the account that has the most. Undefined when all are in use.
 */
export function chooseEviction<T extends EvictionCandidate>(all: readonly T[], nowMs: number): T | undefined {
  const away = all.filter(({ awaySinceMs }) => awaySinceMs !== null)
  if (away.length > 0) return minBy(away, ({ awaySinceMs }) => awaySinceMs!)
  const unused = all.filter(({ users, usedAtMs }) => users === 0 && nowMs - usedAtMs >= IN_USE_MS)
  const counts = new Map<string, number>()
  for (const { accountId } of all) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
  const maxCount = Math.max(...unused.map(({ accountId }) => counts.get(accountId)!))
  return minBy(
    unused.filter(({ accountId }) => counts.get(accountId) === maxCount),
    ({ usedAtMs }) => usedAtMs,
  )
}

function minBy<T>(items: readonly T[], measure: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || measure(item) < measure(best) ? item : best),
    undefined,
  )
}
