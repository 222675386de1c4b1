/** RTP packets (RFC 3550 §5.1): a fixed header of 12 bytes, contributing sources, an extension, payload, padding. */

/** The payload without header, extension and padding; empty when the packet is cut short. */
export function payloadOf(packet: Buffer): Buffer {
  const first = packet[0]!
  let start = 12 + 4 * (first & 0x0f)
  if (first & 0x10) {
    if (start + 4 > packet.length) return packet.subarray(0, 0)
    start += 4 + 4 * packet.readUInt16BE(start + 2)
  }
  const padding = first & 0x20 ? packet[packet.length - 1]! : 0
  const end = packet.length - padding
  return end > start ? packet.subarray(start, end) : packet.subarray(0, 0)
}

export interface RtpHeader {
  readonly payloadType: number
  readonly sequenceNumber: number
  readonly timestamp: number
  readonly ssrc: number
  readonly marker: boolean
}

/** The fixed header; undefined when this is no RTP packet. */
export function parseHeader(packet: Buffer): RtpHeader | undefined {
  if (packet.length < 12 || packet[0]! >> 6 !== 2) return undefined
  return {
    payloadType: packet[1]! & 0x7f,
    marker: (packet[1]! & 0x80) !== 0,
    sequenceNumber: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
  }
}

/** A packet made of a header and the parts of its payload. */
export function buildPacket(header: RtpHeader, ...payload: readonly Uint8Array[]): Buffer {
  const packet = Buffer.allocUnsafe(12 + payload.reduce((sum, part) => sum + part.length, 0))
  packet[0] = 0x80
  packet[1] = (header.marker ? 0x80 : 0) | header.payloadType
  packet.writeUInt16BE(header.sequenceNumber & 0xffff, 2)
  packet.writeUInt32BE(header.timestamp >>> 0, 4)
  packet.writeUInt32BE(header.ssrc, 8)
  let at = 12
  for (const part of payload) {
    packet.set(part, at)
    at += part.length
  }
  return packet
}
