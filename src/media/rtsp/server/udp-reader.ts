import { type EndReason } from '../../publication.ts'
import { heldBytesOf } from '../../rtp/group-of-pictures.ts'
import { type MediaPacket } from '../../stream.ts'
import { createSenderReports } from '../wire/sender-reports.ts'
import { type RtspReader } from './tcp-reader.ts'
import { type UdpPair } from '../wire/udp-pair.ts'

export interface UdpReaderOptions {
  /** The ports of each track; undefined for those that the client doesn't want. */
  readonly pairs: readonly (UdpPair | undefined)[]
  readonly now: () => number
  readonly onEnd: (reason: EndReason) => void
}

/** How much faster than it arrived the first group of pictures is sent. */
const OPENING_SPEED = 4
const PACE_MS = 5
/** At most this much a step, whatever the pace: 100 Mbit/s. */
const BYTES_PER_STEP = 64 * 1024
/** What the smallest costs to send, as if it had so many. */
const MIN_DATAGRAM_BYTES = 1024
/** Twice what the hub keeps; a stream that fills it while it drains is faster than the network. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024

/**
 * Sends datagrams. The first group of pictures is paced, since nothing would hold back a sender of megabytes at once and
 * the receiver would lose most of it; then each packet is sent when it arrives.
 */
export function createUdpReader({ pairs, now, onEnd }: UdpReaderOptions): RtspReader {
  const reports = createSenderReports()
  let waiting: MediaPacket[] = []
  let waitingBytes = 0
  let pacing: { readonly timer: NodeJS.Timeout; readonly startedAtMs: number; readonly fromMs: number } | undefined
  let isAnnounced = false
  let isLive = false
  let isClosed = false

  function send(packet: MediaPacket): void {
    const pair = pairs[packet.track]!
    if (!isAnnounced) pair.sendRtp(packet.data)
    reports.count(packet)
    sendReports()
    if (isAnnounced) pair.sendRtp(packet.data)
  }

  function sendReports(): void {
    for (const { track, data } of reports.take()) pairs[track]?.sendRtcp(data)
  }

  /** Sends what is due; once nothing waits, packets are live. */
  function step(): void {
    const dueUntilMs = pacing!.fromMs + (now() - pacing!.startedAtMs) * OPENING_SPEED
    let count = 0
    for (let bytes = 0; count < waiting.length && bytes < BYTES_PER_STEP; count++) {
      const packet = waiting[count]!
      if (packet.receivedAtMs > dueUntilMs) break
      send(packet)
      bytes += Math.max(packet.data.length, MIN_DATAGRAM_BYTES)
      waitingBytes -= heldBytesOf(packet)
    }
    waiting.splice(0, count)
    if (waiting.length > 0) return
    isLive = true
    clearInterval(pacing!.timer)
  }

  return {
    packet(packet) {
      if (isClosed || !pairs[packet.track]) return
      if (isLive) return send(packet)
      waiting.push(packet)
      waitingBytes += heldBytesOf(packet)
      pacing ??= { timer: setInterval(step, PACE_MS), startedAtMs: now(), fromMs: packet.receivedAtMs }
    },
    report(report) {
      reports.hold(report)
      if (isLive && !isClosed) sendReports()
    },
    end(reason) {
      if (isClosed) return
      for (const { track, data } of reports.byes()) pairs[track]?.sendRtcp(data)
      this.close()
      onEnd(reason)
    },
    waiting: () => waiting,
    announce: () => void (isAnnounced = true),
    check: () => (waitingBytes > MAX_WAITING_BYTES ? 'too-many-bytes' : undefined),
    close() {
      isClosed = true
      clearInterval(pacing?.timer)
      waiting = []
    },
  }
}
