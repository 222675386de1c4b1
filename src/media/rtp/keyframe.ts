import { type Codec } from '../stream.ts'
import { aggregatedUnits } from './aggregation.ts'
import { H264_PACKET_TYPE, H264_TYPE, h264Type } from './h264-nal-unit.ts'
import { H265_PACKET_TYPE, H265_TYPE, h265Type, isH265IrapType } from './h265-nal-unit.ts'
import { payloadOf } from './packet.ts'

/**
 * Finds the first packet of each access unit from which decoding can begin. Remembers the last keyframe's
 * timestamp, because SPS, PPS and slices of one access unit come in several packets that each look like a start.
 */
export function createKeyframeFinder(codec: Codec): (rtpPacket: Buffer) => boolean {
  if (codec === 'h264') return createH264Finder()
  if (codec === 'h265') return onceATimestamp(carriesH265Keyframe)
  // Other codecs are not parsed: every frame is as good a start as any.
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

/** Of a first fragment the header is rebuilt only as far as its type. */
type H264Test = (unit: Buffer) => boolean

/** RFC 6184 §5.4: whether a NAL unit passes the test, be it alone, aggregated, or the first fragment of one. */
function carriesH264(payload: Buffer, test: H264Test): boolean {
  if (payload.length < 2) return false
  const type = h264Type(payload)
  if (type === H264_PACKET_TYPE.fragment) return (payload[1]! & 0x80) !== 0 && test(payload.subarray(1))
  if (type === H264_PACKET_TYPE.aggregate) return someAggregated(payload, 1, test)
  return test(payload)
}

const isH264Start: H264Test = (unit) => h264Type(unit) === H264_TYPE.idr || h264Type(unit) === H264_TYPE.sps

/** Messages of supplemental information follow each other: type and size, each as bytes of 255 and a last one. */
const isRecoveryPoint: H264Test = (unit) => {
  if (h264Type(unit) !== H264_TYPE.sei) return false
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
  const type = h265Type(payload)
  if (type === H265_PACKET_TYPE.fragment) return (payload[2]! & 0x80) !== 0 && isH265Start(payload[2]! & 0x3f)
  if (type === H265_PACKET_TYPE.aggregate) return someAggregated(payload, 2, (unit) => isH265Start(h265Type(unit)))
  return isH265Start(type)
}

const isH265Start = (type: number) => type === H265_TYPE.vps || isH265IrapType(type)

function someAggregated(payload: Buffer, headerLength: number, test: (unit: Buffer) => boolean): boolean {
  for (const unit of aggregatedUnits(payload, headerLength)) if (test(unit)) return true
  return false
}
