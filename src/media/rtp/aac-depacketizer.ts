import { type AacFormat } from './aac-track.ts'
import { createBitReader } from './bit-reader.ts'
import { parseHeader, payloadOf } from './packet.ts'
import { nextSequenceNumber } from './wrapping-numbers.ts'

export interface AacFrame {
  /** RTP timestamp. */
  readonly timestamp: number
  readonly data: Buffer
}

/** Turns RTP packets back into AAC frames. What is incomplete is dropped; never throws. */
export interface AacDepacketizer {
  push(packet: Buffer): readonly AacFrame[]
}

/** No AAC frame is larger: 6144 bits a channel (ISO 14496-3 §4.5.3.1), with room to spare. */
const MAX_FRAME_BYTES = 64 * 1024

/** RFC 3640 with any lengths of the AU header's size and index, several frames a packet, or a frame in fragments. */
export function createAacDepacketizer(format: AacFormat): AacDepacketizer {
  let expectedSequence: number | undefined
  let partial: { timestamp: number; size: number; bytes: number; parts: Buffer[] } | undefined

  return {
    push(packet) {
      const header = parseHeader(packet)
      if (!header) return []
      if (header.sequenceNumber !== expectedSequence) partial = undefined
      expectedSequence = nextSequenceNumber(header.sequenceNumber)

      const payload = payloadOf(packet)
      if (payload.length < 2) return []
      const headerBits = payload.readUInt16BE(0)
      const dataStart = 2 + Math.ceil(headerBits / 8)
      if (dataStart > payload.length) return []
      const sizes = readSizes(payload.subarray(2, dataStart), headerBits)
      const data = payload.subarray(dataStart)
      if (sizes.length === 1 && sizes[0]! > data.length) return addFragment(header.timestamp, sizes[0]!, data)

      partial = undefined
      const frames: AacFrame[] = []
      let at = 0
      for (const [index, size] of sizes.entries()) {
        if (at + size > data.length) break
        const timestamp = (header.timestamp + index * format.ticksPerFrame) >>> 0
        if (size > 0) frames.push({ timestamp, data: data.subarray(at, at + size) })
        at += size
      }
      return frames
    },
  }

  function readSizes(section: Buffer, headerBits: number): number[] {
    const reader = createBitReader(section)
    const sizes: number[] = []
    for (let left = headerBits; ;) {
      const indexBits = sizes.length === 0 ? format.indexLength : format.indexDeltaLength
      left -= format.sizeLength + indexBits
      if (left < 0) return sizes
      sizes.push(reader.bits(format.sizeLength))
      reader.skip(indexBits)
    }
  }

  function addFragment(timestamp: number, size: number, data: Buffer): AacFrame[] {
    if (size > MAX_FRAME_BYTES || data.length === 0) {
      partial = undefined
      return []
    }
    if (partial?.timestamp !== timestamp || partial.size !== size) partial = { timestamp, size, bytes: 0, parts: [] }
    partial.parts.push(data)
    partial.bytes += data.length
    if (partial.bytes < size) return []
    const frame = { timestamp, data: Buffer.concat(partial.parts, size) }
    partial = undefined
    return [frame]
  }
}
