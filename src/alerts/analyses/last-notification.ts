import { GAP_MS } from './scene-time.ts'

/** When an alert last sent something about a source, by the time of the frames; all processes of the source share it. */
export interface LastNotification {
  /** Whether a frame that was taken then is within this time after it. */
  isWithin(cooldownMs: number, takenAtMs: number): boolean
  /** Something is sent, and this was the frame. */
  note(takenAtMs: number): void
}

/**
 * Whether what waits has to wait longer; the oldest of it was seen then, undefined while there is none. It waits twice the cooldown
 * at the most: another process on the source may be faster each time.
 */
export function isQuiet(
  last: LastNotification,
  cooldownMs: number,
  takenAtMs: number,
  oldestTakenAtMs: number | undefined,
): boolean {
  const isOverdue = oldestTakenAtMs !== undefined && takenAtMs - oldestTakenAtMs >= 2 * cooldownMs
  return !isOverdue && last.isWithin(cooldownMs, takenAtMs)
}

/** Within the time after either, such as the last one of a process itself and the last one about its source. */
export function eitherOf(one: LastNotification, other: LastNotification): LastNotification {
  return {
    isWithin: (cooldownMs, takenAtMs) => one.isWithin(cooldownMs, takenAtMs) || other.isWithin(cooldownMs, takenAtMs),
    note(takenAtMs) {
      one.note(takenAtMs)
      other.note(takenAtMs)
    },
  }
}

export function createLastNotification(): LastNotification {
  let sentMs: number | undefined
  return {
    isWithin(cooldownMs, takenAtMs) {
      if (sentMs === undefined) return false
      const passedMs = takenAtMs - sentMs
      // A clock that was set back would otherwise silence the alert until it is there again.
      return passedMs > -GAP_MS && passedMs < cooldownMs
    },
    note: (takenAtMs) => void (sentMs = takenAtMs),
  }
}
