import { timestampStep } from '../../rtp/wrapping-numbers.ts'

/**
 * Gives the messages of a publisher a time that runs on. What encoders send jumps: drones start over at 0, send a frame
 * twice or out of order, or add hours. Small steps back are held; what can't be true is bridged by the time of arrival.
 */
export interface MessageClock {
  /** The decoding time in ms since the beginning: for each track strictly rising, and in step with the other tracks. */
  place(track: string, timestampMs: number, arrivedAtMs: number): number
}

interface TrackClock {
  lastInMs: number
  lastOutMs: number
  lastArrivalMs: number
  /** Out minus in. */
  offsetMs: number
  /** Frames in a row whose time was not after the one before. */
  held: number
}

/** A step larger than this, either way, and not explained by a pause in arrival, is a jump. */
const MAX_STEP_MS = 1000
const MAX_HELD_FRAMES = 5

export function createMessageClock(): MessageClock {
  const tracks = new Map<string, TrackClock>()

  return {
    place(track, timestampMs, arrivedAtMs) {
      const clock = tracks.get(track)
      if (!clock) return begin(track, timestampMs, arrivedAtMs)
      // The step is taken modulo 2^32, so that the wrap after 49 days is none.
      const stepMs = timestampStep(clock.lastInMs, timestampMs)
      const inMs = clock.lastInMs + stepMs
      const pauseMs = Math.max(0, arrivedAtMs - clock.lastArrivalMs)
      if (stepMs < -MAX_STEP_MS || stepMs > pauseMs + MAX_STEP_MS) {
        clock.offsetMs = offsetAfterJump(clock, inMs, clock.lastOutMs + Math.max(1, pauseMs))
      }
      clock.lastOutMs = nextOut(clock, inMs, pauseMs)
      clock.lastInMs = inMs
      clock.lastArrivalMs = arrivedAtMs
      return clock.lastOutMs
    },
  }

  /** Holds a step back; but an encoder whose clock stands still for several frames is no longer asked for the time. */
  function nextOut(clock: TrackClock, inMs: number, pauseMs: number): number {
    const dueMs = inMs + clock.offsetMs
    clock.held = dueMs > clock.lastOutMs ? 0 : clock.held + 1
    if (clock.held === 0) return dueMs
    if (clock.held <= MAX_HELD_FRAMES) return clock.lastOutMs + 1
    const outMs = clock.lastOutMs + Math.max(1, pauseMs)
    clock.offsetMs = outMs - inMs
    return outMs
  }

  function begin(track: string, timestampMs: number, arrivedAtMs: number): number {
    const [other] = tracks.values()
    // Seen from the first track, so that both count from the same moment.
    const inMs = other ? other.lastInMs + timestampStep(other.lastInMs, timestampMs) : timestampMs
    const isInStep = other && Math.abs(inMs - other.lastInMs) <= 10 * MAX_STEP_MS
    const offsetMs = isInStep ? other.offsetMs : (other?.lastOutMs ?? 0) - inMs
    const outMs = inMs + offsetMs
    tracks.set(track, { lastInMs: inMs, lastOutMs: outMs, lastArrivalMs: arrivedAtMs, offsetMs, held: 0 })
    return outMs
  }

  /** Another track may have made the same jump, or stayed where this one comes back to: then both are in step again. */
  function offsetAfterJump(clock: TrackClock, inMs: number, expectedOutMs: number): number {
    for (const other of tracks.values()) {
      if (other !== clock && Math.abs(inMs + other.offsetMs - expectedOutMs) <= MAX_STEP_MS) return other.offsetMs
    }
    return expectedOutMs - inMs
  }
}
