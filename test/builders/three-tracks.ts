import { type StreamDescription } from '../../src/media/stream.ts'

/** A drone's stream: pictures, sound, and metadata in a codec that we do not know. */
export const threeTracks: StreamDescription = {
  tracks: [
    {
      kind: 'video',
      codec: 'h264',
      payloadType: 96,
      clockRate: 90_000,
      encodingName: 'H264',
      fmtp: 'packetization-mode=1; sprop-parameter-sets=Z2QAH6zZQFAFuhAAAAMAEAAAAwPA8YMZYA==,aOvjyyLA',
    },
    { kind: 'audio', codec: 'opus', payloadType: 97, clockRate: 48_000, encodingName: 'opus', channels: 2 },
    { kind: 'data', codec: 'other', payloadType: 98, clockRate: 90_000, encodingName: 'smpte336m' },
  ],
}

/** Packets as they may come: with an extension, contributing sources and padding, of any size, their numbers about to wrap. */
export function createPacketMaker(payloadType: number, ssrc: number, nalType = 0x41) {
  let sequenceNumber = 65_533
  let timestamp = 0xffff_f000
  return (kind: 'key' | 'delta' = 'delta'): Buffer => {
    sequenceNumber = (sequenceNumber + 1) & 0xffff
    timestamp = (timestamp + 3000) % 2 ** 32
    const isOdd = sequenceNumber % 2 === 1
    const extension = isOdd ? Buffer.from([0xbe, 0xde, 0, 1, 0x10, 0xff, 0, 0]) : Buffer.alloc(0)
    const sources = isOdd ? Buffer.from([0, 0, 0, 9]) : Buffer.alloc(0)
    const padding = isOdd ? Buffer.from([0, 0, 0, 4]) : Buffer.alloc(0)
    const payload = Buffer.alloc(20 + (sequenceNumber % 1400), sequenceNumber)
    payload[0] = kind === 'key' ? 0x65 : nalType
    const header = Buffer.alloc(12)
    header[0] = isOdd ? 0xb1 : 0x80
    header[1] = 0x80 | payloadType
    header.writeUInt16BE(sequenceNumber, 2)
    header.writeUInt32BE(timestamp, 4)
    header.writeUInt32BE(ssrc, 8)
    return Buffer.concat([header, sources, extension, payload, padding])
  }
}
