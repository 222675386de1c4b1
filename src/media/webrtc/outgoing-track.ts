import { randomInt } from 'node:crypto'
import { buildSenderReport } from '../rtsp-client/rtcp.ts'

/** One track on its way to one viewer: its own sender, payload type and count of packets. */
export interface OutgoingTrack {
  readonly ssrc: number
  /** The packet belongs to all viewers: its header is written anew for each, just before it is sent. */
  send(packet: Buffer, timestamp: number): void
  /** Sends again what was lost, as far as it is still there. */
  resend(sequenceNumbers: readonly number[]): void
  /** A sender report that says which wall-clock time a timestamp was; undefined before the first packet. */
  report(wallClockMs: number, timestamp: number): Buffer | undefined
  /** That of the newest packet. */
  readonly lastTimestamp: number | undefined
}

export interface OutgoingTrackOptions {
  readonly payloadType: number
  /** Copies what it is given. */
  readonly transmit: (data: Buffer) => void
  readonly ssrc?: number
  readonly firstSequenceNumber?: number
}

/** A power of two; half a second and more of a stream of 10 Mbit/s. Only references: the packets are shared. */
const KEPT = 512

export function createOutgoingTrack(options: OutgoingTrackOptions): OutgoingTrack {
  const { payloadType, transmit, ssrc = randomInt(1, 2 ** 32) } = options
  let sequenceNumber = options.firstSequenceNumber ?? randomInt(2 ** 15)
  let packets = 0
  let payloadBytes = 0
  let lastTimestamp: number | undefined
  const kept: ({ packet: Buffer; sequenceNumber: number; timestamp: number } | undefined)[] = []

  function write(packet: Buffer, number: number, timestamp: number): void {
    packet[1] = (packet[1]! & 0x80) | payloadType
    packet.writeUInt16BE(number, 2)
    packet.writeUInt32BE(timestamp >>> 0, 4)
    packet.writeUInt32BE(ssrc, 8)
    transmit(packet)
  }

  return {
    ssrc,
    send(packet, timestamp) {
      write(packet, sequenceNumber, timestamp)
      kept[sequenceNumber % KEPT] = { packet, sequenceNumber, timestamp }
      sequenceNumber = (sequenceNumber + 1) & 0xffff
      packets++
      payloadBytes += packet.length - 12
      lastTimestamp = timestamp
    },
    resend(sequenceNumbers) {
      for (const number of sequenceNumbers) {
        const found = kept[number % KEPT]
        if (found?.sequenceNumber === number) write(found.packet, number, found.timestamp)
      }
    },
    report: (wallClockMs, timestamp) =>
      packets === 0
        ? undefined
        : buildSenderReport({ ssrc, timestamp: timestamp >>> 0, wallClockMs, packets, payloadBytes }),
    get lastTimestamp() {
      return lastTimestamp
    },
  }
}
