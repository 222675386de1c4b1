import { GAP_MS } from './scene-time.ts'

/** When an alert last sent something about a source, by the time of the frames; all processes of the source share it. */
export interface LastNotification {
  /** Whether a frame that was taken then is within this time after it. */
  isWithin(cooldownMs: number, takenAtMs: number): boolean
  /** Something is sent, and this was the frame. */
  note(takenAtMs: number): void
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
