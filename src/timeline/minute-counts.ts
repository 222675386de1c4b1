import { type RecordedLook } from '../core/recorded-look.ts'

/**
 * How many tracks of each class a file has in each minute of its hour, so that a time line of days reads no file. Of each minute: those
 * that were there, and of these the ones that had never been seen before. Without tracking: the most at once, and none that is new.
 */
export interface MinuteCounts {
  add(look: RecordedLook): void
  /** The highest id of the process so far. */
  readonly lastId: number
  toJson(): string
}

/** As it is stored. */
export interface StoredMinutes {
  readonly classes: readonly string[]
  /** By minute: of each class how many were there and how many were new; those at the end that are zero are left out. */
  readonly m: Readonly<Record<string, readonly number[]>>
  /** The highest id of the process before this file, and with it. */
  readonly after: number
  readonly last: number
}

export const HOUR_MS = 3_600_000
export const MINUTE_MS = 60_000

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

interface Minute {
  /** The class of each as it was taken for last: it may change while more is seen of it. */
  readonly classes: Map<number, string>
  readonly newIds: Set<number>
  /** Without tracking: the most at once. */
  readonly maxAtOnce: Map<string, number>
}

/** Ids only grow: one above all before is new, any other one was there. */
export function createMinuteCounts(afterId: number): MinuteCounts {
  const minutes = new Map<number, Minute>()
  let lastId = afterId

  function minuteOf(takenAtMs: number): Minute {
    const key = Math.floor((takenAtMs - hourOf(takenAtMs)) / MINUTE_MS)
    const known = minutes.get(key)
    if (known) return known
    const minute: Minute = { classes: new Map(), newIds: new Set(), maxAtOnce: new Map() }
    minutes.set(key, minute)
    return minute
  }

  return {
    add({ takenAtMs, tracks }) {
      if (tracks.length === 0) return
      const minute = minuteOf(takenAtMs)
      const untracked = new Map<string, number>()
      const before = lastId
      for (const { id, className } of tracks) {
        if (id === 0) {
          untracked.set(className, (untracked.get(className) ?? 0) + 1)
          continue
        }
        minute.classes.set(id, className)
        // Of several that are new in one look, none is old because of another.
        if (id > before) minute.newIds.add(id)
        lastId = Math.max(lastId, id)
      }
      for (const [name, count] of untracked)
        minute.maxAtOnce.set(name, Math.max(minute.maxAtOnce.get(name) ?? 0, count))
    },
    get lastId() {
      return lastId
    },
    toJson: () => JSON.stringify(toStored(minutes, afterId, lastId)),
  }
}

function toStored(minutes: ReadonlyMap<number, Minute>, after: number, last: number): StoredMinutes {
  const classes: string[] = []
  const indexes = new Map<string, number>()
  function indexOf(name: string): number {
    const index = indexes.get(name) ?? classes.push(name) - 1
    indexes.set(name, index)
    return index
  }
  const m: Record<string, number[]> = {}
  for (const [key, { classes: seen, newIds, maxAtOnce }] of [...minutes].sort(([a], [b]) => a - b)) {
    const counts: number[] = []
    const add = (name: string, present: number, fresh: number) => {
      const at = indexOf(name) * 2
      while (counts.length < at + 2) counts.push(0)
      counts[at]! += present
      counts[at + 1]! += fresh
    }
    for (const [id, name] of seen) add(name, 1, Number(newIds.has(id)))
    for (const [name, count] of maxAtOnce) add(name, count, 0)
    m[key] = counts
  }
  return { classes, m, after, last }
}

export function parseMinutes(json: string): StoredMinutes {
  const stored = JSON.parse(json) as Partial<StoredMinutes>
  return { classes: stored.classes ?? [], m: stored.m ?? {}, after: stored.after ?? 0, last: stored.last ?? 0 }
}
