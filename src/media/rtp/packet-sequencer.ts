import { randomInt } from 'node:crypto'
import { buildPacket } from './packet.ts'
import { nextSequenceNumber } from './wrapping-numbers.ts'

export interface PacketSequencerOptions {
  readonly payloadType: number
  readonly ssrc?: number
  readonly firstSequenceNumber?: number
}

/** Puts payloads into the packets of one RTP source: same SSRC, sequence numbers one after the other. */
export type PacketSequencer = (timestamp: number, marker: boolean, ...payload: readonly Uint8Array[]) => Buffer

export function createPacketSequencer(options: PacketSequencerOptions): PacketSequencer {
  // Random starts, as RFC 3550 §5.1 asks for.
  const { payloadType, ssrc = randomInt(2 ** 32), firstSequenceNumber = randomInt(2 ** 16) } = options
  let sequenceNumber = firstSequenceNumber
  return (timestamp, marker, ...payload) => {
    const packet = buildPacket({ payloadType, ssrc, sequenceNumber, timestamp, marker }, ...payload)
    sequenceNumber = nextSequenceNumber(sequenceNumber)
    return packet
  }
}
