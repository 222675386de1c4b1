import { type Depacketizer } from '../rtp/access-unit.ts'
import { createH264Depacketizer } from '../rtp/h264-depacketizer.ts'
import { H264_TYPE, h264Type } from '../rtp/h264-nal-unit.ts'
import { createH264Packetizer } from '../rtp/h264-packetizer.ts'
import { parseH264Sps } from '../rtp/h264-sps.ts'
import { createH265Depacketizer } from '../rtp/h265-depacketizer.ts'
import { h265Type } from '../rtp/h265-nal-unit.ts'
import { createH265Packetizer } from '../rtp/h265-packetizer.ts'
import { parseH265Sps } from '../rtp/h265-sps.ts'
import { createParameterSets } from '../rtp/parameter-sets.ts'
import { timestampStep } from '../rtp/timestamp-step.ts'
import { type MediaTrack } from '../stream.ts'
import { type Frame } from './frame.ts'

/**
 * Packets of a camera in, pictures for browsers out: none larger than a datagram may be on any network, and the
 * parameter sets before every keyframe, because a browser that comes later knows no others.
 */
export interface PictureMaker {
  push(packet: Buffer): readonly Frame[]
  /** Pictures come in another order than they are shown: WebRTC can't do that. Undefined while it isn't known. */
  readonly hasReorderedPictures: boolean | undefined
}

/** What fits into every path, with the headers of SRTP, UDP and IPv6. */
const MTU = 1200
const H265_TYPE = { firstIrap: 16, lastIrap: 21, vps: 32, sps: 33, pps: 34, delimiter: 35 }

interface VideoFormat {
  readonly depacketizer: () => Depacketizer
  readonly packetizer: typeof createH264Packetizer
  readonly isKey: (nalUnit: Buffer) => boolean
  readonly isSet: (nalUnit: Buffer) => boolean
  readonly isDelimiter: (nalUnit: Buffer) => boolean
  readonly reordered: (sets: readonly Buffer[]) => number | undefined
}

const formats: Readonly<Record<'h264' | 'h265', VideoFormat>> = {
  h264: {
    depacketizer: createH264Depacketizer,
    packetizer: createH264Packetizer,
    isKey: (nalUnit) => h264Type(nalUnit) === H264_TYPE.idr,
    isSet: (nalUnit) => h264Type(nalUnit) === H264_TYPE.sps || h264Type(nalUnit) === H264_TYPE.pps,
    isDelimiter: (nalUnit) => h264Type(nalUnit) === H264_TYPE.delimiter,
    reordered(sets) {
      const sps = sets.find((set) => h264Type(set) === H264_TYPE.sps)
      return sps && parseH264Sps(sps)?.maxReorderedFrames
    },
  },
  h265: {
    depacketizer: createH265Depacketizer,
    packetizer: createH265Packetizer,
    isKey: (nalUnit) => h265Type(nalUnit) >= H265_TYPE.firstIrap && h265Type(nalUnit) <= H265_TYPE.lastIrap,
    isSet: (nalUnit) => h265Type(nalUnit) >= H265_TYPE.vps && h265Type(nalUnit) <= H265_TYPE.pps,
    isDelimiter: (nalUnit) => h265Type(nalUnit) === H265_TYPE.delimiter,
    reordered(sets) {
      const sps = sets.find((set) => h265Type(set) === H265_TYPE.sps)
      return sps && parseH265Sps(sps)?.maxReorderedFrames
    },
  },
}

export function createPictureMaker(track: number, { codec, parameterSets = [] }: MediaTrack): PictureMaker {
  const format = formats[codec === 'h265' ? 'h265' : 'h264']
  const depacketizer = format.depacketizer()
  const packetize = format.packetizer({ payloadType: 0, ssrc: 0, mtu: MTU })
  const setKeeper = createParameterSets(codec, parameterSets)
  let sets = parameterSets
  let lastTimestamp: number | undefined
  let wentBack = false

  /** A camera's sets come with the picture, before it, or only in the description. */
  function withSets(nalUnits: readonly Buffer[]): readonly Buffer[] {
    if (nalUnits.some(format.isSet)) return nalUnits
    // A delimiter stays the first of its picture.
    const at = format.isDelimiter(nalUnits[0]!) ? 1 : 0
    return [...nalUnits.slice(0, at), ...sets, ...nalUnits.slice(at)]
  }

  return {
    push(packet) {
      sets = setKeeper.update(packet) ?? sets
      return depacketizer.push(packet).map(({ nalUnits, timestamp }) => {
        if (lastTimestamp !== undefined && timestampStep(lastTimestamp, timestamp) < 0) wentBack = true
        lastTimestamp = timestamp
        const isKeyframe = nalUnits.some(format.isKey)
        const packets = packetize(isKeyframe ? withSets(nalUnits) : nalUnits, timestamp)
        const bytes = packets.reduce((sum, { length }) => sum + length, 0)
        return { track, timestamp, packets, bytes, isKeyframe }
      })
    },
    get hasReorderedPictures() {
      if (wentBack) return true
      const reordered = format.reordered(sets)
      return reordered === undefined ? undefined : reordered > 0
    },
  }
}
