import { splitByStartCodes } from '../../rtp/annex-b.ts'
import { isComplete, mergeParameterSets } from '../wire/merge-parameter-sets.ts'
import { createH265Depacketizer } from '../../rtp/h265-depacketizer.ts'
import { H265_TYPE, h265Type, isCarriableH265, isH265Irap, isH265Slice } from '../../rtp/h265-nal-unit.ts'
import { createH265Packetizer } from '../../rtp/h265-packetizer.ts'
import { createPartCounter, MAX_NAL_UNITS } from '../../rtp/part-limit.ts'
import { type H265Sps, parseH265Sps } from '../../rtp/h265-sps.ts'
import { describeH265Track } from '../../rtp/h265-track.ts'
import { type VideoConfiguration, type VideoFormat } from './video-format.ts'

const RECORD_HEAD_BYTES = 23

export const h265Format: VideoFormat = {
  codec: 'h265',
  parameterSetTypes: [H265_TYPE.vps, H265_TYPE.sps, H265_TYPE.pps],
  sequenceSetTypes: [H265_TYPE.vps, H265_TYPE.sps],
  delimiterType: H265_TYPE.delimiter,
  typeOf: h265Type,
  isCarriable: isCarriableH265,
  isSlice: isH265Slice,
  // Here the pictures say it all by themselves.
  isKeyframe: (nalUnits) => nalUnits.some(isH265Irap),
  parseConfiguration,
  buildConfiguration,
  readPictureInfo,
  describeTrack: describeH265Track,
  createPacketizer: createH265Packetizer,
  createDepacketizer: () => createH265Depacketizer(),
}

function readPictureInfo(parameterSets: readonly Buffer[]): H265Sps | undefined {
  const sps = parameterSets.find((set) => h265Type(set) === H265_TYPE.sps)
  return sps && parseH265Sps(sps)
}

/** hvcC (ISO 14496-15 §8.3.3.1.2), or the bare parameter sets that some encoders send in its place. */
function parseConfiguration(data: Buffer): VideoConfiguration | undefined {
  const isRecord = data[0] === 1 && data.length >= RECORD_HEAD_BYTES
  const units = isRecord ? recordUnits(data) : splitByStartCodes(data)
  const parameterSets = mergeParameterSets(h265Format, [], units.filter(isCarriableH265))
  if (!isComplete(h265Format, parameterSets)) return undefined
  return { parameterSets, lengthSize: isRecord ? (data[21]! & 3) + 1 : 4 }
}

/** Arrays of units, each array with its type; the units say theirs too, so that one is not looked at. */
function recordUnits(data: Buffer): Buffer[] {
  const units: Buffer[] = []
  const countPart = createPartCounter(MAX_NAL_UNITS)
  let at = RECORD_HEAD_BYTES
  for (let arrays = data[22]!; arrays > 0 && at + 3 <= data.length; arrays--) {
    let left = data.readUInt16BE(at + 1)
    at += 3
    for (; left > 0 && at + 2 <= data.length; left--) {
      countPart()
      const end = at + 2 + data.readUInt16BE(at)
      if (end > data.length) return units
      if (end > at + 2) units.push(data.subarray(at + 2, end))
      at = end
    }
  }
  return units
}

function buildConfiguration(parameterSets: readonly Buffer[]): Buffer | undefined {
  const sps = readPictureInfo(parameterSets)
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

function withLength(set: Buffer): Buffer[] {
  return [Buffer.of(set.length >> 8, set.length & 0xff), set]
}
