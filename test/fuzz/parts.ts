/** Parts of an input that go separately, such as packets: each behind its length in four bytes. */
export function joinParts(parts: readonly Buffer[]): Buffer {
  const joined = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + 4 + length, 0))
  let at = 0
  for (const part of parts) {
    at = joined.writeUInt32BE(part.length, at)
    at += part.copy(joined, at)
  }
  return joined
}

export function splitParts(input: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at + 4 <= input.length;) {
    const end = at + 4 + input.readUInt32BE(at)
    parts.push(input.subarray(at + 4, end))
    at = end
  }
  return parts
}
