import { buildAvcConfiguration, H264_SETS, MIN_SPS_BYTES } from '../wire/avc-configuration.ts'
import { splitByStartCodes } from '../../rtp/annex-b.ts'
import { isComplete, mergeParameterSets } from '../wire/merge-parameter-sets.ts'
import { createBitReader } from '../../rtp/bit-reader.ts'
import { createH264Depacketizer } from '../../rtp/h264-depacketizer.ts'
import { H264_TYPE, h264Type, isCarriableH264, isH264Slice } from '../../rtp/h264-nal-unit.ts'
import { createH264Packetizer } from '../../rtp/h264-packetizer.ts'
import { parseH264Sps } from '../../rtp/h264-sps.ts'
import { describeH264Track } from '../../rtp/h264-track.ts'
import { type VideoConfiguration, type VideoFormat } from './video-format.ts'

export const h264Format: VideoFormat = {
  codec: 'h264',
  parameterSetTypes: H264_SETS.parameterSetTypes,
  sequenceSetTypes: [H264_TYPE.sps],
  delimiterType: H264_TYPE.delimiter,
  typeOf: h264Type,
  isCarriable: isCarriableH264,
  isSlice: isH264Slice,
  isKeyframe: (nalUnits, isFlagged) =>
    nalUnits.some((unit) => h264Type(unit) === H264_TYPE.idr) || (isFlagged && areAllIntra(nalUnits)),
  parseConfiguration,
  buildConfiguration: buildAvcConfiguration,
  readPictureInfo(parameterSets) {
    const sps = parameterSets.find((set) => h264Type(set) === H264_TYPE.sps)
    return sps && parseH264Sps(sps)
  },
  describeTrack: describeH264Track,
  createPacketizer: createH264Packetizer,
  createDepacketizer: () => createH264Depacketizer(),
}

/** Open groups of pictures begin with an I picture that is no IDR; some encoders call every frame a keyframe. */
function areAllIntra(nalUnits: readonly Buffer[]): boolean {
  const slices = nalUnits.filter(isH264Slice)
  return slices.length > 0 && slices.every(isIntraSlice)
}

/** `slice_type` is the second number of the slice header (H.264 §7.3.3): 2 and 7 are I, 4 and 9 SI. */
function isIntraSlice(slice: Buffer): boolean {
  const reader = createBitReader(slice.subarray(1, 10))
  reader.ue()
  const type = reader.ue() % 5
  return type === 2 || type === 4
}

/** avcC (ISO 14496-15 §5.3.3.1.2), or the bare parameter sets that some encoders send in its place. */
function parseConfiguration(data: Buffer): VideoConfiguration | undefined {
  const isRecord = data[0] === 1 && data.length > 6
  const units = isRecord ? recordUnits(data) : splitByStartCodes(data)
  const parameterSets = mergeParameterSets(h264Format, [], units.filter(isUsable))
  if (!isComplete(h264Format, parameterSets)) return undefined
  return { parameterSets, lengthSize: isRecord ? (data[4]! & 3) + 1 : 4 }
}

const isUsable = (unit: Buffer) =>
  unit.length >= (h264Type(unit) === H264_TYPE.sps ? MIN_SPS_BYTES : 2) && isCarriableH264(unit)

function recordUnits(data: Buffer): Buffer[] {
  const units: Buffer[] = []
  let at = 5
  for (const countMask of [0x1f, 0xff]) {
    if (at >= data.length) break
    let left = data[at++]! & countMask
    for (; left > 0 && at + 2 <= data.length; left--) {
      const end = at + 2 + data.readUInt16BE(at)
      if (end > data.length) return units
      if (end > at + 2) units.push(data.subarray(at + 2, end))
      at = end
    }
  }
  return units
}
