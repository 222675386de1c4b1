import { createBitReader, unescapeNalUnit } from './bit-reader.ts'

/** The content of a sequence parameter set (H.265 §7.3.2.2.1), as far as containers and players need it. */
export interface H265Sps {
  /** The 12 bytes of profile, compatibility and constraint flags, and level, as hvcC repeats them. */
  readonly profileTierLevel: Buffer
  readonly temporalLayers: number
  readonly isTemporalIdNested: boolean
  readonly chromaFormatIdc: number
  readonly bitDepthLuma: number
  readonly bitDepthChroma: number
  readonly width: number
  readonly height: number
  /** How many pictures may precede a picture in decoding order and follow it in output. */
  readonly maxReorderedFrames: number
}

/** Undefined when the set is cut short or makes no sense. */
export function parseH265Sps(nalUnit: Buffer): H265Sps | undefined {
  const payload = unescapeNalUnit(nalUnit.subarray(2))
  if (payload.length < 13) return undefined
  const reader = createBitReader(payload)
  reader.skip(4)
  const maxSubLayersMinus1 = reader.bits(3)
  const isTemporalIdNested = reader.flag()
  reader.skip(96)
  skipSubLayers(reader, maxSubLayersMinus1)
  reader.ue()
  const chromaFormatIdc = reader.ue()
  if (chromaFormatIdc === 3) reader.skip(1)
  let width = reader.ue()
  let height = reader.ue()
  if (reader.flag()) {
    const unitX = chromaFormatIdc === 1 || chromaFormatIdc === 2 ? 2 : 1
    const unitY = chromaFormatIdc === 1 ? 2 : 1
    width -= unitX * (reader.ue() + reader.ue())
    height -= unitY * (reader.ue() + reader.ue())
  }
  const bitDepthLuma = 8 + reader.ue()
  const bitDepthChroma = 8 + reader.ue()
  reader.ue()
  let maxReorderedFrames = 0
  const layersDescribed = reader.flag() ? maxSubLayersMinus1 + 1 : 1
  for (let i = 0; i < layersDescribed; i++) {
    reader.ue()
    maxReorderedFrames = Math.min(16, reader.ue())
    reader.ue()
  }
  const isSane = width > 0 && height > 0 && width <= 16_384 && height <= 16_384 && chromaFormatIdc <= 3
  if (reader.isPastEnd || !isSane) return undefined

  return {
    profileTierLevel: payload.subarray(1, 13),
    temporalLayers: maxSubLayersMinus1 + 1,
    isTemporalIdNested,
    chromaFormatIdc,
    bitDepthLuma,
    bitDepthChroma,
    width,
    height,
    maxReorderedFrames,
  }
}

/** The rest of profile_tier_level (§7.3.3): flags for eight layers when there is more than one, then what they announce. */
function skipSubLayers(reader: ReturnType<typeof createBitReader>, count: number): void {
  if (count === 0) return
  let announcedBits = 0
  for (let i = 0; i < count; i++) {
    if (reader.flag()) announcedBits += 88
    if (reader.flag()) announcedBits += 8
  }
  reader.skip(2 * (8 - count) + announcedBits)
}
