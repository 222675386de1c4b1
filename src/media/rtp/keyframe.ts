import { type Codec } from '../stream.ts'
import { payloadOf } from './packet.ts'

const H264 = { fragmentA: 28, aggregateA: 24, idr: 5, sei: 6, sps: 7 }
const H265 = { aggregate: 48, fragment: 49, vps: 32, firstIrap: 16, lastIrap: 21 }

/**
 * Tells the first packet of each access unit from which decoding can begin. Remembers the last keyframe's
 * timestamp, because SPS, PPS and slices of one access unit come in several packets that each look like a start.
 */
export function createKeyframeFinder(codec: Codec): (rtpPacket: Buffer) => boolean {
  if (codec === 'h264') return createH264Finder()
  if (codec === 'h265') return onceATimestamp(carriesH265Keyframe)
  // Of other codecs nothing is known: every frame is as good a beginning as any.
  return createFrameFinder()
}

/**
 * Streams with intra refresh have no keyframe after their first one, only recovery points (H.264 §D.2.8), from
 * which the picture heals within a second. They count from the second in a row on: where keyframes come too, those are better.
 */
function createH264Finder(): (rtpPacket: Buffer) => boolean {
  let recoveryPoints = 0
  return onceATimestamp((payload) => {
    if (carriesH264(payload, isH264Start)) {
      recoveryPoints = 0
      return true
    }
    if (carriesH264(payload, isRecoveryPoint)) recoveryPoints++
    else return false
    return recoveryPoints > 1
  })
}

function onceATimestamp(carriesKeyframe: (payload: Buffer) => boolean): (rtpPacket: Buffer) => boolean {
  let lastTimestamp: number | undefined
  return (rtpPacket) => {
    const timestamp = rtpPacket.readUInt32BE(4)
    if (timestamp === lastTimestamp || !carriesKeyframe(payloadOf(rtpPacket))) return false
    lastTimestamp = timestamp
    return true
  }
}

/** A frame begins behind the packet with the marker. */
function createFrameFinder(): (rtpPacket: Buffer) => boolean {
  let isBetweenFrames = true
  return (rtpPacket) => {
    const isFirst = isBetweenFrames
    isBetweenFrames = (rtpPacket[1]! & 0x80) !== 0
    return isFirst
  }
}

type H264Test = (type: number, unit: Buffer) => boolean

/** RFC 6184 §5.4: whether a NAL unit passes the test, be it alone, aggregated, or the first fragment of one. */
function carriesH264(payload: Buffer, test: H264Test): boolean {
  if (payload.length < 2) return false
  const type = payload[0]! & 0x1f
  if (type === H264.fragmentA) return (payload[1]! & 0x80) !== 0 && test(payload[1]! & 0x1f, payload.subarray(1))
  if (type === H264.aggregateA) return aggregated(payload, 1).some((unit) => test(unit[0]! & 0x1f, unit))
  return test(type, payload)
}

const isH264Start: H264Test = (type) => type === H264.idr || type === H264.sps

/** Messages of supplemental information follow each other: type and size, each as bytes of 255 and a last one. */
const isRecoveryPoint: H264Test = (nalType, unit) => {
  if (nalType !== H264.sei) return false
  for (let at = 1; at + 2 < unit.length;) {
    if (unit[at] === 6) return true
    while (unit[at] === 0xff) at++
    at++
    let size = 0
    while (unit[at] === 0xff) size += unit[at++]!
    at += 1 + size + (unit[at] ?? 0)
  }
  return false
}

/** RFC 7798 §4.4: an intra random access picture or a VPS. */
function carriesH265Keyframe(payload: Buffer): boolean {
  if (payload.length < 3) return false
  const type = (payload[0]! >> 1) & 0x3f
  if (type === H265.fragment) return (payload[2]! & 0x80) !== 0 && isH265Start(payload[2]! & 0x3f)
  if (type === H265.aggregate) return aggregated(payload, 2).some((unit) => isH265Start((unit[0]! >> 1) & 0x3f))
  return isH265Start(type)
}

const isH265Start = (type: number) => type === H265.vps || (type >= H265.firstIrap && type <= H265.lastIrap)

/** The NAL units in an aggregation packet, which follow 16-bit sizes; empty ones are left out. */
function aggregated(payload: Buffer, headerLength: number): Buffer[] {
  const units: Buffer[] = []
  for (let at = headerLength; at + 2 < payload.length;) {
    const length = payload.readUInt16BE(at)
    if (length > 0) units.push(payload.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return units
}
