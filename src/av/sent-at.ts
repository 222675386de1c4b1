import { AV_PKT_DATA_PRFT, type Packet } from 'node-av'

/** The sender's wall-clock time of a packet, in ms; undefined while RTCP has not said it (AVProducerReferenceTime: µs since 1970). */
export function sentAtMs(packet: Packet): number | undefined {
  const reference = packet.getSideData(AV_PKT_DATA_PRFT)
  return reference && reference.length >= 8 ? Number(reference.readBigInt64LE(0)) / 1000 : undefined
}
