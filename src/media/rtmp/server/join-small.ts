/** Larger ones are shared by all readers, and stay so. */
const MAX_SMALL_BYTES = 16 * 1024
const MAX_JOINED_BYTES = 64 * 1024

/** The same bytes in fewer buffers: of thousands of small ones each would be a write of its own, which is more work than a copy. */
export function joinSmall(buffers: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  let smallBytes = 0

  function flush(): void {
    if (small.length > 0) joined.push(small.length === 1 ? small[0]! : Buffer.concat(small, smallBytes))
    small = []
    smallBytes = 0
  }

  for (const buffer of buffers) {
    const isSmall = buffer.length <= MAX_SMALL_BYTES
    if (!isSmall || smallBytes + buffer.length > MAX_JOINED_BYTES) flush()
    if (!isSmall) joined.push(buffer)
    else {
      small.push(buffer)
      smallBytes += buffer.length
    }
  }
  flush()
  return joined
}
