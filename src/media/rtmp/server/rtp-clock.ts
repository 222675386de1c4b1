import { createTimestampUnwrapper, timestampStep } from '../../rtp/wrapping-numbers.ts'

/** Counts RTP ticks on from the first timestamp seen, across the wrap at 2^32 and over jumps. */
export interface RtpClock {
  /** Ticks since the first timestamp; lower than before when pictures come out of order. */
  advance(timestamp: number): number
  /** The same for a timestamp from elsewhere, without moving on. */
  ticksOf(timestamp: number): number | undefined
}

/** A step larger than this is not time that passed: the sender has started over. */
const MAX_STEP_SECONDS = 10
const STEP_AFTER_JUMP_SECONDS = 0.04

export function createRtpClock(clockRate: number): RtpClock {
  let last: { timestamp: number; ticks: number } | undefined
  const isJump = (step: number) => Math.abs(step) > MAX_STEP_SECONDS * clockRate
  const stepAfterJump = Math.round(STEP_AFTER_JUMP_SECONDS * clockRate)
  const unwrap = createTimestampUnwrapper((step) => (isJump(step) ? stepAfterJump : step))
  return {
    advance(timestamp) {
      last = { timestamp, ticks: unwrap(timestamp) }
      return last.ticks
    },
    ticksOf: (timestamp) => last && last.ticks + timestampStep(last.timestamp, timestamp),
  }
}
