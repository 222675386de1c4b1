import { type Refusal, refuse } from './refusal.ts'

export interface SampleOrder {
  /** Whether a message of this time may be used, and whether what came before it may still be. */
  check(timeMs: number, nowMs: number): OrderVerdict
  /** How long messages usually take to arrive, by their own times; negative when the sender's clock is ahead. Null before the first. */
  readonly usualDelayMs: number | null
}

export type OrderVerdict = { readonly startsAnew: boolean } | { readonly refusal: Refusal }

/** Clocks differ and networks wait; but what is farther off belongs to no frame. */
const mostAheadMs = 5_000
const mostBehindMs = 30_000
/** Late by less is out of order; by more the sender's clock was set, or somebody sends old messages again. */
const reorderMs = 2_000
/** So many messages in a row that go on from each other are a clock that was set. */
const newBeginning = 3
const delaysKept = 64

/** Judges the times of messages. `timeOffsetMs` (how much later the video is) widens what can belong to a frame. */
export function createSampleOrder(timeOffsetMs = 0): SampleOrder {
  const aheadMs = mostAheadMs + Math.max(0, -timeOffsetMs)
  const behindMs = mostBehindMs + Math.max(0, timeOffsetMs)
  const delays: number[] = []
  let newestMs = -Infinity
  let newestAskedAtMs = -Infinity
  let before: number[] = []

  function goBack(timeMs: number): OrderVerdict {
    before = timeMs > (before.at(-1) ?? -Infinity) ? [...before, timeMs] : [timeMs]
    if (before.length < newBeginning)
      return refuse(
        'timestamp-went-back',
        `timestamp is ${seconds(newestMs - timeMs)} before that of the message before.`,
      )
    return accept(timeMs, true)
  }

  function accept(timeMs: number, startsAnew: boolean): OrderVerdict {
    before = []
    newestMs = startsAnew ? timeMs : Math.max(newestMs, timeMs)
    return { startsAnew }
  }

  return {
    check(timeMs, nowMs) {
      delays.push(nowMs - timeMs)
      if (delays.length > delaysKept) delays.shift()
      if (timeMs > nowMs + aheadMs)
        return refuse(
          'timestamp-in-the-future',
          `timestamp is ${seconds(timeMs - nowMs)} ahead of this machine’s clock.`,
        )
      if (timeMs < nowMs - behindMs)
        return refuse('timestamp-in-the-past', `timestamp is ${seconds(nowMs - timeMs)} behind this machine’s clock.`)
      // After a long silence there is nothing that time could go back from.
      const isFresh = nowMs - newestAskedAtMs > behindMs
      newestAskedAtMs = nowMs
      if (isFresh) return accept(timeMs, newestMs > timeMs)
      return timeMs < newestMs - reorderMs ? goBack(timeMs) : accept(timeMs, false)
    },
    get usualDelayMs() {
      return delays.length === 0 ? null : [...delays].sort((a, b) => a - b)[delays.length >> 1]!
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
