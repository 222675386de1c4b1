/** RTP sequence numbers have 16 bits, and wrap (RFC 3550 §5.1). */
export const SEQUENCE_NUMBERS = 0x10000
const MASK = SEQUENCE_NUMBERS - 1

export const nextSequenceNumber = (sequenceNumber: number): number => (sequenceNumber + 1) & MASK

/** How far `sequenceNumber` is ahead of `from`, from 0 to 65535: what is late looks far ahead. */
export const sequenceNumbersAhead = (from: number, sequenceNumber: number): number => (sequenceNumber - from) & MASK

/** Less than half of all numbers ahead, or the same. */
export const isAheadOf = (from: number, sequenceNumber: number): boolean =>
  sequenceNumbersAhead(from, sequenceNumber) < SEQUENCE_NUMBERS / 2

/** Ticks from one RTP timestamp to another: they wrap at 2^32, so the shorter way round is meant, negative when it leads back. */
export const timestampStep = (from: number, to: number): number => (to - from) | 0

/** RTP timestamps, which wrap around, as one growing number that begins with 0. `bridge` may replace steps that can't be true. */
export function createTimestampUnwrapper(bridge = (step: number) => step): (timestamp: number) => number {
  let last: number | undefined
  let value = 0
  return (timestamp) => {
    value += last === undefined ? 0 : bridge(timestampStep(last, timestamp))
    last = timestamp
    return value
  }
}
