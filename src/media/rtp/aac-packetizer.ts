import { createPacketSequencer } from './packet-sequencer.ts'
import { type PacketizerOptions } from './nal-unit-packetizer.ts'

/** Makes RTP packets of one AAC frame: nearly always one. */
export type AacPacketizer = (frame: Buffer, timestamp: number) => Buffer[]

const RTP_HEADER_LENGTH = 12
const AU_HEADER_SECTION_LENGTH = 4
/** The size field of AAC-hbr has 13 bits. */
const MAX_FRAME_BYTES = 0x1fff

/** RFC 3640 §3.3.6, AAC-hbr: a frame a packet; one too large for the MTU goes in fragments (§3.2.3.1). */
export function createAacPacketizer(options: PacketizerOptions): AacPacketizer {
  const step = (options.mtu ?? 1400) - RTP_HEADER_LENGTH - AU_HEADER_SECTION_LENGTH
  const nextPacket = createPacketSequencer(options)

  return (frame, timestamp) => {
    if (frame.length === 0 || frame.length > MAX_FRAME_BYTES) return []
    const section = Buffer.allocUnsafe(AU_HEADER_SECTION_LENGTH)
    section.writeUInt16BE(16, 0)
    section.writeUInt16BE(frame.length << 3, 2)
    const packets: Buffer[] = []
    for (let at = 0; at < frame.length; at += step) {
      packets.push(nextPacket(timestamp, at + step >= frame.length, section, frame.subarray(at, at + step)))
    }
    return packets
  }
}
