import { H264_TYPE, h264Type } from '../../rtp/h264-nal-unit.ts'
import { parseH264Sps } from '../../rtp/h264-sps.ts'
import { withLength } from './configuration-record.ts'

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
