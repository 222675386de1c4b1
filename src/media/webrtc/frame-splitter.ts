/** STUN, DTLS and RTP all fit into a datagram of a common network. */
const MAX_FRAME_BYTES = 1_500

export interface FrameSplitter {
  push(chunk: Buffer): void
  /** The next that is complete, which may be empty; after one that is too long nothing can be read. */
  next(): Buffer | 'too-long' | undefined
}

/** RFC 4571 §2: each frame behind its length in two bytes. */
export function createFrameSplitter(): FrameSplitter {
  let data: Buffer = Buffer.alloc(0)
  let at = 0
  return {
    push(chunk) {
      const rest = data.subarray(at)
      data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      at = 0
    },
    next() {
      const length = at + 2 <= data.length ? data.readUInt16BE(at) : 0
      if (length > MAX_FRAME_BYTES) return 'too-long'
      const end = at + 2 + length
      if (end <= data.length) {
        const frame = data.subarray(at + 2, end)
        at = end
        return frame
      }
      // Of a large chunk a few bytes may be left.
      data = Buffer.from(data.subarray(at))
      at = 0
      return undefined
    },
  }
}
