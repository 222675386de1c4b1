import { type Refusal, refuse } from './refusal.ts'

/** Whose clock places messages in time: the sender's, or ours at their arrival where the sender's cannot be believed. */
export type TelemetryClock = 'sender' | 'arrival'

export interface SampleOrder {
  /** When a message holds that was sent at this time, and whether what came before it may still be used; or why it locates nothing. */
  check(sentAtMs: number, nowMs: number): OrderVerdict
  /** How long messages usually take to arrive, by their own times; negative when the sender's clock is ahead. Null before the first. */
  readonly typicalDelayMs: number | null
  /** Null before the first. */
  readonly clock: TelemetryClock | null
}

export type OrderVerdict = { readonly timeMs: number; readonly startsAnew: boolean } | { readonly refusal: Refusal }

/** Clocks differ and networks wait; but what is farther off belongs to no frame. */
const MAX_AHEAD_MS = 5_000
const MAX_BEHIND_MS = 30_000
/** No network keeps messages for longer: this is a clock that was never set. What is ahead was never late. */
const MAX_LATE_MS = 600_000
/** Late by less is out of order; by more the sender's clock was set, or somebody sends old messages again. */
const MAX_REORDER_MS = 2_000
/** So many messages in a row that go on from each other are a clock that was set. */
const MIN_IN_A_ROW = 3
/** For so long a sender that had a good clock must say otherwise: a few old messages come together and are over sooner. */
const MIN_DOUBT_MS = 1_000
const MAX_DELAYS = 64

/** Judges the times of messages. `timeOffsetMs` (how much later the video is) widens what can belong to a frame. */
export function createSampleOrder(timeOffsetMs = 0): SampleOrder {
  const aheadMs = MAX_AHEAD_MS + Math.max(0, -timeOffsetMs)
  const behindMs = MAX_BEHIND_MS + Math.max(0, timeOffsetMs)
  const delays: number[] = []
  let clock: TelemetryClock | null = null
  let newestMs = -Infinity
  let newestAskedAtMs = -Infinity
  let before: number[] = []
  /** Since when, and how often, a sender that was believed says what cannot be. */
  let doubt: { readonly sinceMs: number; readonly count: number } | undefined

  function placeBack(timeMs: number): OrderVerdict {
    before = timeMs > (before.at(-1) ?? -Infinity) ? [...before, timeMs] : [timeMs]
    if (before.length < MIN_IN_A_ROW)
      return refuse(
        'timestamp-went-back',
        `timestamp is ${seconds(newestMs - timeMs)} before that of the message before.`,
      )
    return accept(timeMs, true)
  }

  function accept(timeMs: number, startsAnew: boolean): OrderVerdict {
    before = []
    newestMs = startsAnew ? timeMs : Math.max(newestMs, timeMs)
    return { timeMs, startsAnew }
  }

  /** In the order in which they come. */
  function placeByArrival(sentAtMs: number, nowMs: number): OrderVerdict {
    if (clock === 'sender' && !isSilentAt(nowMs)) {
      doubt = { sinceMs: doubt?.sinceMs ?? nowMs, count: (doubt?.count ?? 0) + 1 }
      if (doubt.count < MIN_IN_A_ROW || nowMs - doubt.sinceMs < MIN_DOUBT_MS) return refuseTime(sentAtMs, nowMs)
    }
    const startsAnew = clock === 'sender'
    clock = 'arrival'
    return accept(nowMs, startsAnew)
  }

  function placeBySender(sentAtMs: number, nowMs: number): OrderVerdict {
    const isOtherClock = clock === 'arrival'
    // After a long silence there is nothing that time could go back from.
    const isFresh = isSilentAt(nowMs)
    clock = 'sender'
    doubt = undefined
    newestAskedAtMs = nowMs
    if (isFresh || isOtherClock) return accept(sentAtMs, isOtherClock || newestMs > sentAtMs)
    return sentAtMs < newestMs - MAX_REORDER_MS ? placeBack(sentAtMs) : accept(sentAtMs, false)
  }

  const isSilentAt = (nowMs: number) => nowMs - newestAskedAtMs > behindMs

  return {
    check(sentAtMs, nowMs) {
      const delayMs = nowMs - sentAtMs
      delays.push(delayMs)
      if (delays.length > MAX_DELAYS) delays.shift()
      if (delayMs < -aheadMs || delayMs > Math.max(behindMs, MAX_LATE_MS)) return placeByArrival(sentAtMs, nowMs)
      return delayMs > behindMs ? refuseTime(sentAtMs, nowMs) : placeBySender(sentAtMs, nowMs)
    },
    get typicalDelayMs() {
      return delays.length === 0 ? null : [...delays].sort((a, b) => a - b)[delays.length >> 1]!
    },
    get clock() {
      return clock
    },
  }
}

function refuseTime(sentAtMs: number, nowMs: number): { readonly refusal: Refusal } {
  return sentAtMs > nowMs
    ? refuse('timestamp-in-the-future', `timestamp is ${seconds(sentAtMs - nowMs)} ahead of this machine’s clock.`)
    : refuse('timestamp-in-the-past', `timestamp is ${seconds(nowMs - sentAtMs)} behind this machine’s clock.`)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
