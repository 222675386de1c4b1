import { splitByStartCodes } from '../../rtp/annex-b.ts'
import { createBitReader } from '../../rtp/bit-reader.ts'
import { h264Codec } from '../../rtp/h264-codec.ts'
import { H264_TYPE, h264Type, isCarriableH264, isH264Slice } from '../../rtp/h264-nal-unit.ts'
import { buildAvcConfiguration, MIN_SPS_BYTES, readSetLists, type SetLists } from './configuration-record.ts'
import { completeParameterSets } from './parameter-sets.ts'
import { type VideoConfiguration, type VideoFormat } from './video-format.ts'

export const h264Format: VideoFormat = {
  ...h264Codec,
  codec: 'h264',
  sequenceSetTypes: [H264_TYPE.sps],
  isKeyframe: (nalUnits, isFlagged) => nalUnits.some(h264Codec.isKeyUnit) || (isFlagged && areAllIntra(nalUnits)),
  parseConfiguration,
  buildConfiguration: buildAvcConfiguration,
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
  const units = isRecord ? readSetLists(data, setLists(data)) : splitByStartCodes(data)
  const parameterSets = completeParameterSets(h264Format, units.filter(isUsable))
  return parameterSets && { parameterSets, lengthSize: isRecord ? (data[4]! & 3) + 1 : 4 }
}

const isUsable = (unit: Buffer) =>
  unit.length >= (h264Type(unit) === H264_TYPE.sps ? MIN_SPS_BYTES : 2) && isCarriableH264(unit)

/** Those of the SPS, counted in five bits, and of the PPS. */
const setLists = (data: Buffer): SetLists => ({
  start: 5,
  lists: 2,
  headBytes: 1,
  countAt: (at, list) => data[at]! & (list === 0 ? 0x1f : 0xff),
})
