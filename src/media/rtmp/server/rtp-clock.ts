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
  const stepTo = (timestamp: number) => (timestamp - last!.timestamp) | 0
  return {
    advance(timestamp) {
      let step = last ? stepTo(timestamp) : 0
      if (Math.abs(step) > MAX_STEP_SECONDS * clockRate) step = Math.round(STEP_AFTER_JUMP_SECONDS * clockRate)
      last = { timestamp, ticks: (last?.ticks ?? 0) + step }
      return last.ticks
    },
    ticksOf: (timestamp) => last && last.ticks + stepTo(timestamp),
  }
}
