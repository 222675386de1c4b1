import { parseHeader } from '../../rtp/packet.ts'
import { createReorderBuffer } from '../../rtp/reorder-buffer.ts'
import { type MediaTrack } from '../../stream.ts'
import { createReception, type Reception } from '../wire/reception.ts'
import { buildReceiverReport, middleNtpOf, parseSenderReport } from '../wire/rtcp.ts'

/** Receives one track: passes only its packets on, in order, and keeps the figures for reports. */
export interface TrackReceiver {
  readonly rtp: (packet: Buffer) => void
  readonly rtcp: (compound: Buffer) => void
  /** The receiver report for the sender (RFC 3550 §6.4.2). */
  report(): Buffer
  close(): void
}

export interface TrackReceiverOptions {
  readonly track: MediaTrack
  /** Ours, in reports. */
  readonly ssrc: number
  /** By UDP packets overtake each other. */
  readonly isOrdered: boolean
  readonly onPacket: (packet: Buffer) => void
  readonly onSenderReport: (report: { readonly timestamp: number; readonly wallClockMs: number }) => void
  readonly now: () => number
}

/** What networks between a camera and us delay single packets by; a gap that lasts longer is a loss. */
const REORDER_TIMEOUT_MS = 100

export function createTrackReceiver(options: TrackReceiverOptions): TrackReceiver {
  const { track, isOrdered, onPacket, onSenderReport, now } = options
  let senderSsrc: number | undefined
  let reception: Reception | undefined
  const reorder = isOrdered ? undefined : createReorderBuffer({ deliver: onPacket, maxWaitMs: REORDER_TIMEOUT_MS })

  /** Another source counts in its own way: what is known of the one before does not hold for it. */
  function begin(ssrc: number): void {
    senderSsrc = ssrc
    reception = createReception(track.clockRate)
  }

  return {
    rtp(packet) {
      const header = parseHeader(packet)
      if (header?.payloadType !== track.payloadType) return
      if (header.ssrc !== senderSsrc) begin(header.ssrc)
      reception!.packet(header.sequenceNumber, header.timestamp, now())
      if (reorder) reorder.push(packet)
      else onPacket(packet)
    },
    rtcp(compound) {
      const middleNtp = middleNtpOf(compound)
      if (middleNtp !== undefined) reception?.senderReport(middleNtp, now())
      const report = parseSenderReport(compound)
      if (report) onSenderReport(report)
    },
    report: () => buildReceiverReport(options.ssrc, senderSsrc, reception?.figures(now())),
    close: () => reorder?.close(),
  }
}
