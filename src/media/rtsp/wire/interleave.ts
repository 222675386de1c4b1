const DOLLAR = 0x24

/** Packets as they stand among requests and answers (RFC 2326 §10.12), together: one write costs far less than many. */
export function interleave(channel: number, packets: readonly Buffer[]): Buffer {
  const total = packets.reduce((sum, { length }) => sum + 4 + length, 0)
  const frames = Buffer.allocUnsafe(total)
  let at = 0
  for (const packet of packets) {
    frames[at] = DOLLAR
    frames[at + 1] = channel
    frames.writeUInt16BE(packet.length, at + 2)
    at += 4 + packet.copy(frames, at + 4)
  }
  return frames
}

/** Each track has two channels: its packets', and its reports'. */
export const mediaChannel = (track: number): number => 2 * track
export const reportChannel = (track: number): number => 2 * track + 1
