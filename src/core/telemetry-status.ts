import { type Clock } from './clock.ts'

/** How it goes with the telemetry of a live process. */
export interface TelemetryStatus {
  readonly type: 'mqtt' | 'websocket' | 'static'
  readonly format: 'native' | 'vendor_a'
  /** The last good message; null before the first. */
  readonly last: LastSeen | null
  /** How long messages take to arrive, by their own times; null before the first, and while those cannot be believed. */
  readonly delayMs: number | null
  /** By whose clock messages are placed in time; null before the first. */
  readonly clock: 'sender' | 'arrival' | null
  /** Why it is not the sender's. */
  readonly clockNote: string | null
  /** How many messages were not used, by reason. */
  readonly rejected: Readonly<Record<string, number>>
  /** What is wrong now: with the channel, or that nothing good comes by it. */
  readonly error: string | null
  /** The error is about silence: its sentence changes as time goes on. */
  readonly isSilent: boolean
}

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
