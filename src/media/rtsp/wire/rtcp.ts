/** RTCP as far as a relay and a reader need it (RFC 3550 §6): reports in and out, and goodbyes. */
import { type ReceptionFigures } from './reception.ts'

const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const SOURCE_DESCRIPTION = 202
const BYE = 203
/** Seconds from 1900, where NTP counts from, to 1970. */
const NTP_TO_UNIX_S = 2_208_988_800
const NTP_ERA_S = 2 ** 32

/** The pair in the first sender report of a compound packet; undefined when there is none, or it has no time. */
export function parseSenderReport(compound: Buffer): { timestamp: number; wallClockMs: number } | undefined {
  const at = findSenderReport(compound)
  if (at === undefined) return undefined
  const seconds = compound.readUInt32BE(at + 8)
  const fraction = compound.readUInt32BE(at + 12)
  // A sender without a clock sends zero (§6.4.1).
  if (seconds === 0 && fraction === 0) return undefined
  return { timestamp: compound.readUInt32BE(at + 16), wallClockMs: fromNtp(seconds, fraction) }
}

/** The middle 32 bits of its NTP time, by which a receiver refers to it (§6.4.1). */
export function middleNtpOf(compound: Buffer): number | undefined {
  const at = findSenderReport(compound)
  return at === undefined ? undefined : compound.readUInt32BE(at + 10)
}

function findSenderReport(compound: Buffer): number | undefined {
  for (let at = 0; at + 8 <= compound.length; at += 4 + 4 * compound.readUInt16BE(at + 2)) {
    if (compound[at]! >> 6 !== 2) return undefined
    if (compound[at + 1] === SENDER_REPORT) return at + 20 > compound.length ? undefined : at
  }
  return undefined
}

export interface SenderReportFields {
  readonly ssrc: number
  readonly timestamp: number
  readonly wallClockMs: number
  readonly packets: number
  readonly payloadBytes: number
}

/** A sender report and the source description that every compound packet must have (§6.1). */
export function buildSenderReport(fields: SenderReportFields): Buffer {
  const packet = Buffer.alloc(28 + 16)
  writeHeader(packet, 0, SENDER_REPORT, 0, 28)
  packet.writeUInt32BE(fields.ssrc, 4)
  const [seconds, fraction] = toNtp(fields.wallClockMs)
  packet.writeUInt32BE(seconds, 8)
  packet.writeUInt32BE(fraction, 12)
  packet.writeUInt32BE(fields.timestamp, 16)
  packet.writeUInt32BE(fields.packets % NTP_ERA_S, 20)
  packet.writeUInt32BE(fields.payloadBytes % NTP_ERA_S, 24)
  writeDescription(packet, 28, fields.ssrc)
  return packet
}

/** A receiver report on the packets of `senderSsrc`; without figures it is a mere sign of life. */
export function buildReceiverReport(ssrc: number, senderSsrc?: number, figures?: ReceptionFigures): Buffer {
  const hasBlock = senderSsrc !== undefined && figures !== undefined
  const reportLength = hasBlock ? 32 : 8
  const packet = Buffer.alloc(reportLength + 16)
  writeHeader(packet, 0, RECEIVER_REPORT, hasBlock ? 1 : 0, reportLength)
  packet.writeUInt32BE(ssrc, 4)
  if (hasBlock) {
    packet.writeUInt32BE(senderSsrc, 8)
    packet.writeUInt32BE(figures.fractionLost * 2 ** 24 + figures.totalLost, 12)
    packet.writeUInt32BE(figures.highestSequence, 16)
    packet.writeUInt32BE(figures.jitter % 2 ** 32, 20)
    packet.writeUInt32BE(figures.lastSenderReport, 24)
    packet.writeUInt32BE(figures.delaySinceLastReport, 28)
  }
  writeDescription(packet, reportLength, ssrc)
  return packet
}

/** An empty receiver report, which must come first (§6.1), and the goodbye. */
export function buildBye(ssrc: number): Buffer {
  const packet = Buffer.alloc(16)
  writeHeader(packet, 0, RECEIVER_REPORT, 0, 8)
  packet.writeUInt32BE(ssrc, 4)
  writeHeader(packet, 8, BYE, 1, 8)
  packet.writeUInt32BE(ssrc, 12)
  return packet
}

function writeDescription(packet: Buffer, at: number, ssrc: number): void {
  writeHeader(packet, at, SOURCE_DESCRIPTION, 1, 16)
  packet.writeUInt32BE(ssrc, at + 4)
  // One item: CNAME (1), five bytes; the zero behind it ends the list and fills the word.
  packet.write('\x01\x05aerie', at + 8, 'latin1')
}

function writeHeader(packet: Buffer, at: number, type: number, count: number, length: number): void {
  packet[at] = 0x80 | count
  packet[at + 1] = type
  packet.writeUInt16BE(length / 4 - 1, at + 2)
}

function fromNtp(seconds: number, fraction: number): number {
  // The era that began in 1900 ends in 2036; a first bit of 0 means the one after it (RFC 2030 §3).
  const era = seconds < 2 ** 31 ? NTP_ERA_S : 0
  return (era + seconds - NTP_TO_UNIX_S) * 1000 + (fraction / NTP_ERA_S) * 1000
}

function toNtp(wallClockMs: number): [seconds: number, fraction: number] {
  const ntpSeconds = wallClockMs / 1000 + NTP_TO_UNIX_S
  const whole = Math.floor(ntpSeconds)
  const wholeMs = (whole - NTP_TO_UNIX_S) * 1000
  const fraction = Math.floor(((wallClockMs - wholeMs) / 1000) * NTP_ERA_S)
  return [whole % NTP_ERA_S, Math.min(Math.max(fraction, 0), NTP_ERA_S - 1)]
}
