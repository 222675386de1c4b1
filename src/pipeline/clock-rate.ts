import { timestampStep } from '../media/rtp/wrapping-numbers.ts'

/** Ticks a second of the times of video in RTP (RFC 6184 §8.2.1); encoders and files count in them too. */
export const CLOCK_RATE = 90_000
export const TICKS_PER_MS = CLOCK_RATE / 1000

/** RTP's clock starts again after so many ticks (RFC 3550 §5.1). */
const RTP_WRAP = 2 ** 32
/** A second: timestamps that go back by less are out of order; by more, the source began anew. */
const DISORDER_TICKS = CLOCK_RATE

/**
 * RTP timestamps on a line that only grows, as an encoder wants it. Whatever is added are whole turns, so that the timestamp
 * comes out again when it is cut to 32 bits. Answers undefined for what comes out of order.
 */
export function createRtpLine(): (rtpTimestamp: number) => number | undefined {
  let last: number | undefined
  return (rtpTimestamp) => {
    const step = last === undefined ? 0 : timestampStep(last, rtpTimestamp)
    if (last !== undefined && step <= 0 && step > -DISORDER_TICKS) return undefined
    last = last === undefined ? rtpTimestamp : last + (step < 0 ? step + RTP_WRAP : step)
    return last
  }
}
