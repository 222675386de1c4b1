import { h264Codec } from '../media/rtp/h264-codec.ts'
import { H264_TYPE, h264Type } from '../media/rtp/h264-nal-unit.ts'
import { parseH264Sps } from '../media/rtp/h264-sps.ts'

/** The parameter sets of H.264 as an MP4 file has them (`avcC`, ISO/IEC 14496-15 §5.3.3). */
export interface ParameterSetRecord {
  readonly sps: readonly Buffer[]
  readonly pps: readonly Buffer[]
}

const HEADER_BYTES = 6
const LENGTH_BYTES = 4
/** In the record five and eight bits count them. */
const MAX_SPS = 31
const MAX_PPS = 255
/** Profiles whose records say nothing of colours: Baseline, Main, Extended. */
const PLAIN_PROFILES = [66, 77, 88]

/** Undefined where it is none, or one whose samples have lengths of other than four bytes. */
export function readParameterSets(record: Buffer | null): ParameterSetRecord | undefined {
  if (!record || record.length < HEADER_BYTES + 1 || record[0] !== 1) return undefined
  if ((record[4]! & 3) + 1 !== LENGTH_BYTES) return undefined
  let at = HEADER_BYTES - 1
  function readSets(count: number): Buffer[] | undefined {
    const sets: Buffer[] = []
    for (; count > 0; count--) {
      if (at + 2 > record!.length) return undefined
      const end = at + 2 + record!.readUInt16BE(at)
      if (end > record!.length || end < at + 4) return undefined
      sets.push(record!.subarray(at + 2, end))
      at = end
    }
    return sets
  }
  const sps = readSets(record[at++]! & MAX_SPS)
  if (!sps || sps.length === 0 || at >= record.length) return undefined
  const pps = readSets(record[at++]!)
  return pps && pps.length > 0 ? { sps, pps } : undefined
}

/** Those of both, the first ones first; undefined where they are more than a record has room for. */
export function writeParameterSets(first: ParameterSetRecord, second: ParameterSetRecord): Buffer | undefined {
  const sps = [...first.sps, ...second.sps]
  const pps = [...first.pps, ...second.pps]
  const [main] = sps
  if (!main || sps.length > MAX_SPS || pps.length > MAX_PPS) return undefined
  // A decoder that has enough for all is enough for each.
  const level = Math.max(...sps.map((set) => set[3] ?? 0))
  const profile = Math.max(...sps.map((set) => set[1] ?? 0))
  const leading = sps.find((set) => set[1] === profile)!
  const head = Buffer.of(1, profile, leading[2]!, level, 0xfc | (LENGTH_BYTES - 1), 0xe0 | sps.length)
  const info = parseH264Sps(leading)
  const colours =
    PLAIN_PROFILES.includes(profile) || !info
      ? Buffer.alloc(0)
      : Buffer.of(0xfc | info.chromaFormatIdc, 0xf8 | (info.bitDepthLuma - 8), 0xf8 | (info.bitDepthChroma - 8), 0)
  return Buffer.concat([head, ...sps.flatMap(withLength), Buffer.of(pps.length), ...pps.flatMap(withLength), colours])
}

/** An id for parameter sets that none of these has; undefined where all are taken. */
export function freeSetId(units: readonly Buffer[]): number | undefined {
  const taken = new Set(units.filter(isSet).map((unit) => h264Codec.setIdOf(unit)))
  for (let id = MAX_SPS; id > 0; id--) if (!taken.has(id)) return id
  return undefined
}

/** Long enough to say its id. */
const isSet = (unit: Buffer) =>
  (h264Type(unit) === H264_TYPE.sps && unit.length > 4) || (h264Type(unit) === H264_TYPE.pps && unit.length > 1)

export function sortSets(units: readonly Buffer[]): ParameterSetRecord {
  return {
    sps: units.filter((unit) => h264Type(unit) === H264_TYPE.sps),
    pps: units.filter((unit) => h264Type(unit) === H264_TYPE.pps),
  }
}

/** The NAL units of a sample; those that are cut short are left out. */
export function unitsOfSample(sample: Buffer): Buffer[] {
  const units: Buffer[] = []
  for (let at = 0; at + LENGTH_BYTES < sample.length;) {
    const end = at + LENGTH_BYTES + sample.readUInt32BE(at)
    if (end > sample.length || end === at + LENGTH_BYTES) break
    units.push(sample.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return units
}

export function toSample(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32BE(unit.length)
      return [length, unit]
    }),
  )
}

function withLength(set: Buffer): Buffer[] {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(set.length)
  return [length, set]
}
