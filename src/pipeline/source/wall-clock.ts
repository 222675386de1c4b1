import { AV_PKT_DATA_PRFT, type Packet } from 'node-av'

/** A sender's clock that is further from ours has not been set: its time tells nothing. */
const largestSkewMs = 600_000

/** When a picture was taken: by the sender's wall clock, if it is told and may be right, else now. */
export function plausible(wallClockMs: number | undefined, nowMs: number): number {
  return wallClockMs === undefined || Math.abs(wallClockMs - nowMs) > largestSkewMs ? nowMs : wallClockMs
}

/** The sender's wall clock as FFmpeg has it from RTCP (AVProducerReferenceTime: µs since 1970). */
export function wallClockOf(packet: Packet): number | undefined {
  const reference = packet.getSideData(AV_PKT_DATA_PRFT)
  return reference && reference.length >= 8 ? Number(reference.readBigInt64LE(0)) / 1000 : undefined
}
