import { splitByStartCodes } from '../../rtp/annex-b.ts'
import { readSetLists, type SetLists, withLength } from './configuration-record.ts'
import { completeParameterSets, isComplete } from './parameter-sets.ts'
import { h265Codec } from '../../rtp/h265-codec.ts'
import { H265_TYPE, h265Type, isCarriableH265 } from '../../rtp/h265-nal-unit.ts'
import { parseH265Sps } from '../../rtp/h265-sps.ts'
import { findSps } from '../../rtp/nal-unit-codec.ts'
import { type VideoConfiguration, type VideoFormat } from './video-format.ts'

const RECORD_HEAD_BYTES = 23

export const h265Format: VideoFormat = {
  ...h265Codec,
  codec: 'h265',
  sequenceSetTypes: [H265_TYPE.vps, H265_TYPE.sps],
  // Here the pictures say it all by themselves.
  isKeyframe: (nalUnits) => nalUnits.some(h265Codec.isKeyUnit),
  parseConfiguration,
  buildConfiguration,
}

/** hvcC (ISO 14496-15 §8.3.3.1.2), or the bare parameter sets that some encoders send in its place. */
function parseConfiguration(data: Buffer): VideoConfiguration | undefined {
  const isRecord = data[0] === 1 && data.length >= RECORD_HEAD_BYTES
  const units = isRecord ? readSetLists(data, setLists(data)) : splitByStartCodes(data)
  const parameterSets = completeParameterSets(h265Format, units.filter(isCarriableH265))
  return parameterSets && { parameterSets, lengthSize: isRecord ? (data[21]! & 3) + 1 : 4 }
}

/** Arrays of units, each array with its type; the units say theirs too, so that one is not looked at. */
const setLists = (data: Buffer): SetLists => ({
  start: RECORD_HEAD_BYTES,
  lists: data[22]!,
  headBytes: 3,
  countAt: (at) => data.readUInt16BE(at + 1),
})

function buildConfiguration(parameterSets: readonly Buffer[]): Buffer | undefined {
  const sequenceSet = findSps(h265Codec, parameterSets)
  const sps = sequenceSet && parseH265Sps(sequenceSet)
  if (!sps || !isComplete(h265Format, parameterSets)) return undefined
  const head = Buffer.alloc(RECORD_HEAD_BYTES)
  head[0] = 1
  sps.profileTierLevel.copy(head, 1)
  // Reserved bits are ones; nothing is known of segmentation, parallelism and frame rate.
  head.writeUInt16BE(0xf000, 13)
  head[15] = 0xfc
  head[16] = 0xfc | sps.chromaFormatIdc
  head[17] = 0xf8 | ((sps.bitDepthLuma - 8) & 7)
  head[18] = 0xf8 | ((sps.bitDepthChroma - 8) & 7)
  head[21] = (sps.temporalLayers << 3) | (sps.isTemporalIdNested ? 4 : 0) | 3
  head[22] = h265Format.parameterSetTypes.length

  const arrays = h265Format.parameterSetTypes.flatMap((type) => {
    const sets = parameterSets.filter((set) => h265Type(set) === type)
    return [Buffer.of(0x80 | type, 0, sets.length), ...sets.flatMap(withLength)]
  })
  return Buffer.concat([head, ...arrays])
}
