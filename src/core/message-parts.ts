/** Every server of NATS that nodes can use takes messages of 64 KB; what is around the content, and encrypting it, add a little. */
export const MAX_CONTENT_BYTES = 60_000

/** Lists of which each fits into a message between nodes; an item that is too large for any is in one alone. */
export function* inMessages<T>(items: readonly T[], maxCount = Infinity): Generator<T[], void> {
  let part: T[] = []
  let bytes = 0
  for (const item of items) {
    // With its comma.
    const more = Buffer.byteLength(JSON.stringify(item)) + 1
    if (part.length > 0 && (bytes + more > MAX_CONTENT_BYTES || part.length >= maxCount)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += more
  }
  if (part.length > 0) yield part
}
