/** RTP sequence numbers have 16 bits, and wrap (RFC 3550 §5.1). */
export const SEQUENCE_NUMBERS = 0x10000
const MASK = SEQUENCE_NUMBERS - 1

export const nextSequenceNumber = (sequenceNumber: number): number => (sequenceNumber + 1) & MASK

/** How far `sequenceNumber` is ahead of `from`, from 0 to 65535: what is late looks far ahead. */
export const sequenceNumbersAhead = (from: number, sequenceNumber: number): number => (sequenceNumber - from) & MASK

/** Less than half of all numbers ahead, or the same. */
export const isAheadOf = (from: number, sequenceNumber: number): boolean =>
  sequenceNumbersAhead(from, sequenceNumber) < SEQUENCE_NUMBERS / 2
