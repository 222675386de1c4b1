import { randomInt } from 'node:crypto'
import { nextSequenceNumber } from '../rtp/wrapping-numbers.ts'
import { buildSenderReport } from '../rtsp/wire/rtcp.ts'
import { type SharedTurns } from './shared-turns.ts'

/** One track on its way to one viewer: its own sender, payload type and count of packets. */
export interface OutgoingTrack {
  readonly ssrc: number
  /** The packet belongs to all viewers: its header is written anew for each, just before it is sent. */
  send(packet: Buffer, timestamp: number): void
  /**
   * Sends again what was lost, as far as it is still there, in turns with other viewers. Not the same twice in a moment, and in the long
   * run no more than was sent in the first place: a request is far smaller than what it asks for.
   */
  resend(sequenceNumbers: readonly number[]): void
  /** A sender report that says which wall-clock time a timestamp was; undefined before the first packet. */
  report(wallClockMs: number, timestamp: number): Buffer | undefined
  /** That of the newest packet. */
  readonly lastTimestamp: number | undefined
  /** What was asked for and is not sent again yet is not sent any more. */
  close(): void
}

export interface OutgoingTrackOptions {
  readonly payloadType: number
  /** Copies what it is given. */
  readonly transmit: (data: Buffer) => void
  readonly turns: SharedTurns
  readonly now: () => number
  readonly ssrc?: number
  readonly firstSequenceNumber?: number
}

/** A power of two; half a second and more of a stream of 10 Mbit/s. Only references: the packets are shared. */
const KEPT = 512
/** About as long as a packet and the next request for it take; browsers ask ten times. */
const RESEND_AFTER_MS = 50
/** More than is lost at once where a stream can be watched at all. */
const MAX_RESENDS = 256

interface KeptPacket {
  readonly packet: Buffer
  readonly sequenceNumber: number
  readonly timestamp: number
  resentAtMs: number
}

export function createOutgoingTrack(options: OutgoingTrackOptions): OutgoingTrack {
  const { payloadType, transmit, turns, now, ssrc = randomInt(1, 2 ** 32) } = options
  let sequenceNumber = options.firstSequenceNumber ?? randomInt(2 ** 15)
  let packets = 0
  let payloadBytes = 0
  let lastTimestamp: number | undefined
  const kept: (KeptPacket | undefined)[] = []
  /** Each packet that is sent earns one that may be sent again. */
  let resendsLeft = MAX_RESENDS
  /** To be sent again; paid for, so there are hardly more than `MAX_RESENDS`. */
  let lost: KeptPacket[] = []

  function write(packet: Buffer, number: number, timestamp: number): void {
    packet[1] = (packet[1]! & 0x80) | payloadType
    packet.writeUInt16BE(number, 2)
    packet.writeUInt32BE(timestamp >>> 0, 4)
    packet.writeUInt32BE(ssrc, 8)
    transmit(packet)
  }

  function resendOne(): boolean {
    const next = lost.shift()
    if (next) write(next.packet, next.sequenceNumber, next.timestamp)
    return lost.length > 0
  }

  return {
    ssrc,
    send(packet, timestamp) {
      write(packet, sequenceNumber, timestamp)
      kept[sequenceNumber % KEPT] = { packet, sequenceNumber, timestamp, resentAtMs: -Infinity }
      resendsLeft = Math.min(MAX_RESENDS, resendsLeft + 1)
      sequenceNumber = nextSequenceNumber(sequenceNumber)
      packets++
      payloadBytes += packet.length - 12
      lastTimestamp = timestamp
    },
    resend(sequenceNumbers) {
      const nowMs = now()
      for (const number of sequenceNumbers) {
        if (resendsLeft === 0) break
        const found = kept[number % KEPT]
        if (found?.sequenceNumber !== number || nowMs - found.resentAtMs < RESEND_AFTER_MS) continue
        found.resentAtMs = nowMs
        resendsLeft--
        lost.push(found)
      }
      if (lost.length > 0) turns.add(resendOne)
    },
    report: (wallClockMs, timestamp) =>
      packets === 0
        ? undefined
        : buildSenderReport({ ssrc, timestamp: timestamp >>> 0, wallClockMs, packets, payloadBytes }),
    get lastTimestamp() {
      return lastTimestamp
    },
    close() {
      lost = []
    },
  }
}
