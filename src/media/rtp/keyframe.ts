import { type Codec } from '../stream.ts'
import { payloadOf } from './packet.ts'

const H264 = { fragmentA: 28, aggregateA: 24, idr: 5, sps: 7 }
const H265 = { aggregate: 48, fragment: 49, vps: 32, firstIrap: 16, lastIrap: 21 }

/**
 * Tells the first packet of each access unit from which decoding can begin. Remembers the last keyframe's
 * timestamp, because SPS, PPS and slices of one access unit come in several packets that each look like a start.
 */
export function createKeyframeFinder(codec: Codec): (rtpPacket: Buffer) => boolean {
  const carriesKeyframe = codec === 'h264' ? carriesH264Keyframe : codec === 'h265' ? carriesH265Keyframe : undefined
  // Of other codecs nothing is known: every packet is as good a beginning as any.
  if (!carriesKeyframe) return () => true
  let lastTimestamp: number | undefined
  return (rtpPacket) => {
    const timestamp = rtpPacket.readUInt32BE(4)
    if (timestamp === lastTimestamp || !carriesKeyframe(payloadOf(rtpPacket))) return false
    lastTimestamp = timestamp
    return true
  }
}

/** RFC 6184 §5.4: an IDR slice or an SPS, alone, aggregated, or as the first fragment. */
function carriesH264Keyframe(payload: Buffer): boolean {
  if (payload.length < 2) return false
  const type = payload[0]! & 0x1f
  if (type === H264.fragmentA) return (payload[1]! & 0x80) !== 0 && isH264Start(payload[1]! & 0x1f)
  if (type === H264.aggregateA) return aggregated(payload, 1).some((first) => isH264Start(first & 0x1f))
  return isH264Start(type)
}

const isH264Start = (type: number) => type === H264.idr || type === H264.sps

/** RFC 7798 §4.4: an intra random access picture or a VPS. */
function carriesH265Keyframe(payload: Buffer): boolean {
  if (payload.length < 3) return false
  const type = (payload[0]! >> 1) & 0x3f
  if (type === H265.fragment) return (payload[2]! & 0x80) !== 0 && isH265Start(payload[2]! & 0x3f)
  if (type === H265.aggregate) return aggregated(payload, 2).some((first) => isH265Start((first >> 1) & 0x3f))
  return isH265Start(type)
}

const isH265Start = (type: number) => type === H265.vps || (type >= H265.firstIrap && type <= H265.lastIrap)

/** The first byte of each NAL unit in an aggregation packet, whose units follow 16-bit sizes. */
function aggregated(payload: Buffer, headerLength: number): number[] {
  const firsts: number[] = []
  for (let at = headerLength; at + 2 < payload.length; at += 2 + payload.readUInt16BE(at)) firsts.push(payload[at + 2]!)
  return firsts
}
