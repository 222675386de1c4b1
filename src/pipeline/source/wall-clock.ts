import { AV_PKT_DATA_PRFT, type Packet } from 'node-av'

/** A sender's clock that is further from ours has not been set: its time tells nothing. */
const LARGEST_SKEW_MS = 600_000

/**
 * When a packet's picture was taken: by the sender's wall clock, if RTCP has told it (AVProducerReferenceTime, µs since
 * 1970) and it is plausible, else now.
 */
export function takenAt(packet: Packet, nowMs: number): number {
  const reference = packet.getSideData(AV_PKT_DATA_PRFT)
  if (!reference || reference.length < 8) return nowMs
  const wallClockMs = Number(reference.readBigInt64LE(0)) / 1000
  return Math.abs(wallClockMs - nowMs) > LARGEST_SKEW_MS ? nowMs : wallClockMs
}
