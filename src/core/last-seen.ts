import { type Clock } from './clock.ts'

/** When something came last, by the wall clock; and how long ago that is, by the steady one. */
export interface LastSeen {
  readonly atMs: number
  /** Whole milliseconds, never negative. */
  readonly ageMs: number
}

export interface LastSeenTracker {
  /** Null before the first time. */
  readonly last: LastSeen | null
  /** It came now, or shortly before, at `atMs` of the wall clock. The same time again is the same coming. */
  note(atMs?: number): void
}

/** `initialAtMs` is what is known from before: only its wall clock can say how long ago that is. */
export function createLastSeenTracker(
  clock: Pick<Clock, 'now' | 'steady'>,
  initialAtMs: number | null = null,
): LastSeenTracker {
  let seen: { readonly atMs: number; readonly steadyMs: number } | null = null

  function note(atMs: number): void {
    seen = { atMs, steadyMs: clock.steady() - Math.max(0, clock.now() - atMs) }
  }

  if (initialAtMs !== null) note(initialAtMs)
  return {
    get last() {
      return seen && { atMs: seen.atMs, ageMs: Math.max(0, Math.round(clock.steady() - seen.steadyMs)) }
    },
    note(atMs = clock.now()) {
      if (atMs !== seen?.atMs) note(atMs)
    },
  }
}

export function newestSeen(seen: readonly (LastSeen | null)[]): LastSeen | null {
  return seen.reduce((newest, one) => (one && (!newest || one.ageMs < newest.ageMs) ? one : newest), null)
}
