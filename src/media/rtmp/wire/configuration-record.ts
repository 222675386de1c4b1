import { H264_TYPE, h264Type } from '../../rtp/h264-nal-unit.ts'
import { parseH264Sps } from '../../rtp/h264-sps.ts'
import { createPartCounter, MAX_NAL_UNITS } from '../../rtp/part-limit.ts'

/** How a decoder configuration record (ISO 14496-15) lists its parameter sets. */
export interface SetLists {
  /** The byte where the first list begins. */
  readonly start: number
  readonly lists: number
  /** What stands before the sets of a list. */
  readonly headBytes: number
  /** How many sets the list has whose head begins at `at`. */
  readonly countAt: (at: number, list: number) => number
}

/** The parameter sets of a record, each behind its length in two bytes; of one that is cut short, those before. Throws `TooManyPartsError`. */
export function readSetLists(data: Buffer, { start, lists, headBytes, countAt }: SetLists): Buffer[] {
  const sets: Buffer[] = []
  const countPart = createPartCounter(MAX_NAL_UNITS)
  let at = start
  for (let list = 0; list < lists && at + headBytes <= data.length; list++) {
    let left = countAt(at, list)
    at += headBytes
    for (; left > 0 && at + 2 <= data.length; left--) {
      countPart()
      const end = at + 2 + data.readUInt16BE(at)
      if (end > data.length) return sets
      if (end > at + 2) sets.push(data.subarray(at + 2, end))
      at = end
    }
  }
  return sets
}

/** A set as a record lists it. */
export function withLength(set: Buffer): Buffer[] {
  return [Buffer.of(set.length >> 8, set.length & 0xff), set]
}

/** Profiles whose record goes on with chroma format and bit depths (ISO 14496-15 §5.3.3.1.2). */
const HIGH_PROFILES = new Set([100, 110, 122, 144, 244])
export const MIN_SPS_BYTES = 4

/** avcC for these sets, with lengths of four bytes. Undefined when something is missing. */
export function buildAvcConfiguration(parameterSets: readonly Buffer[]): Buffer | undefined {
  const spsSets = parameterSets.filter((set) => h264Type(set) === H264_TYPE.sps)
  const ppsSets = parameterSets.filter((set) => h264Type(set) === H264_TYPE.pps)
  const first = spsSets[0]
  if (!first || first.length < MIN_SPS_BYTES || ppsSets.length === 0) return undefined
  const record: Buffer[] = [Buffer.of(1, first[1]!, first[2]!, first[3]!, 0xff), Buffer.of(0xe0 | spsSets.length)]
  record.push(...spsSets.flatMap(withLength), Buffer.of(ppsSets.length), ...ppsSets.flatMap(withLength))
  const sps = HIGH_PROFILES.has(first[1]!) ? parseH264Sps(first) : undefined
  if (sps) {
    const depths = [sps.bitDepthLuma, sps.bitDepthChroma].map((depth) => 0xf8 | ((depth - 8) & 7))
    record.push(Buffer.of(0xfc | (sps.chromaFormatIdc & 3), ...depths, 0))
  }
  return Buffer.concat(record)
}
