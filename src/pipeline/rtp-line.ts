/** The clock of RTP for video: so many ticks, and it starts again after 2³² (RFC 3550 §5.1). */
export const RTP_TICKS_A_MS = 90
const WRAP = 2 ** 32
/** Timestamps that go back by less are out of order; by more, the source began anew. */
const DISORDER_TICKS = 1_000 * RTP_TICKS_A_MS

/**
 * RTP timestamps on a line that only grows, as an encoder wants it. Whatever is added are whole turns, so that the timestamp
 * comes out again when it is cut to 32 bits. Answers undefined for what comes out of order.
 */
export function createRtpLine(): (rtpTimestamp: number) => number | undefined {
  let last = -Infinity
  return (rtpTimestamp) => {
    const turns = Number.isFinite(last) ? Math.floor(last / WRAP) : 0
    const places = [rtpTimestamp + (turns - 1) * WRAP, rtpTimestamp + turns * WRAP, rtpTimestamp + (turns + 1) * WRAP]
    if (places.some((place) => place <= last && place > last - DISORDER_TICKS)) return undefined
    last = places.find((place) => place > last && place >= 0)!
    return last
  }
}
