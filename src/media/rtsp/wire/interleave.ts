const DOLLAR = 0x24
const HEADER_BYTES = 4

export interface ChannelPacket {
  readonly channel: number
  readonly data: Buffer
}

/** Packets as they stand among requests and answers (RFC 2326 §10.12), together: one write costs far less than many. */
export function interleave(packets: readonly ChannelPacket[]): Buffer {
  const frames = Buffer.allocUnsafe(packets.reduce((sum, { data }) => sum + HEADER_BYTES + data.length, 0))
  let at = 0
  for (const { channel, data } of packets) {
    frames[at] = DOLLAR
    frames[at + 1] = channel
    frames.writeUInt16BE(data.length, at + 2)
    frames.set(data, at + HEADER_BYTES)
    at += HEADER_BYTES + data.length
  }
  return frames
}

/** Each track has two channels: its packets', and its reports'. */
export const mediaChannel = (track: number): number => 2 * track
export const reportChannel = (track: number): number => 2 * track + 1
