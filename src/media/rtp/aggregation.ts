const NOTHING = Buffer.alloc(0)

/**
 * The NAL units in an aggregation packet, each behind its size in 16 bits (RFC 6184 §5.7.1, RFC 7798 §4.4.2). One that is cut
 * short ends them as an empty one, which no codec carries.
 */
export function* aggregatedUnits(payload: Buffer, headerLength: number): Generator<Buffer, void, undefined> {
  for (let at = headerLength; at + 2 <= payload.length;) {
    const length = payload.readUInt16BE(at)
    const end = at + 2 + length
    // A packet may be full of empty ones: they cost no view each.
    yield length > 0 && end <= payload.length ? payload.subarray(at + 2, end) : NOTHING
    at = end
  }
}
