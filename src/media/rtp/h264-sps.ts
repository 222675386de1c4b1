import { type BitReader, createBitReader, unescapeNalUnit } from './bit-reader.ts'

/** The content of a sequence parameter set (H.264 §7.3.2.1.1), as far as containers and players need it. */
export interface H264Sps {
  readonly profileIdc: number
  readonly constraints: number
  readonly levelIdc: number
  readonly chromaFormatIdc: number
  readonly bitDepthLuma: number
  readonly bitDepthChroma: number
  readonly width: number
  readonly height: number
  /** How many pictures may precede a picture in decoding order and follow it in output; undefined when it isn't declared. */
  readonly maxReorderedFrames: number | undefined
}

const PROFILES_WITH_CHROMA = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])
const BASELINE = 66

/** Undefined when the set is cut short or makes no sense. */
export function parseH264Sps(nalUnit: Buffer): H264Sps | undefined {
  const reader = createBitReader(unescapeNalUnit(nalUnit.subarray(1)))
  const profileIdc = reader.bits(8)
  const constraints = reader.bits(8)
  const levelIdc = reader.bits(8)
  reader.ue()
  const chroma = PROFILES_WITH_CHROMA.has(profileIdc) ? readChroma(reader) : { formatIdc: 1, luma: 8, chroma: 8 }
  reader.ue()
  const orderCountType = skipPictureOrderCount(reader)
  reader.ue()
  reader.skip(1)
  const { width, height } = readSize(reader, chroma.formatIdc)
  // Everything up to here must have been there; of the rest, what was cut off just isn't known.
  if (reader.isPastEnd || width <= 0 || height <= 0 || width > 16_384 || height > 16_384) return undefined
  const restriction = reader.flag() ? readReorderRestriction(reader) : undefined
  const neverReorders = profileIdc === BASELINE || orderCountType === 2

  return {
    profileIdc,
    constraints,
    levelIdc,
    chromaFormatIdc: chroma.formatIdc,
    bitDepthLuma: chroma.luma,
    bitDepthChroma: chroma.chroma,
    width,
    height,
    maxReorderedFrames: neverReorders ? 0 : reader.isPastEnd ? undefined : restriction,
  }
}

function readChroma(reader: BitReader): { formatIdc: number; luma: number; chroma: number } {
  const formatIdc = reader.ue()
  if (formatIdc === 3) reader.skip(1)
  const luma = 8 + reader.ue()
  const chroma = 8 + reader.ue()
  reader.skip(1)
  if (reader.flag()) {
    for (let list = 0; list < (formatIdc === 3 ? 12 : 8); list++) {
      if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64)
    }
  }
  return { formatIdc, luma, chroma }
}

function skipScalingList(reader: BitReader, size: number): void {
  let next = 8
  for (let i = 0; i < size && next !== 0; i++) next = (next + reader.se() + 256) & 0xff
}

function skipPictureOrderCount(reader: BitReader): number {
  const type = reader.ue()
  if (type === 0) reader.ue()
  if (type === 1) {
    reader.skip(1)
    reader.se()
    reader.se()
    for (let left = Math.min(255, reader.ue()); left > 0; left--) reader.se()
  }
  return type
}

function readSize(reader: BitReader, chromaFormatIdc: number): { width: number; height: number } {
  const widthInMacroblocks = reader.ue() + 1
  const heightInUnits = reader.ue() + 1
  const fieldsPerFrame = reader.flag() ? 1 : 2
  if (fieldsPerFrame === 2) reader.skip(1)
  reader.skip(1)
  let cropX = 0
  let cropY = 0
  if (reader.flag()) {
    cropX = reader.ue() + reader.ue()
    cropY = reader.ue() + reader.ue()
  }
  const unitX = chromaFormatIdc === 1 || chromaFormatIdc === 2 ? 2 : 1
  const unitY = (chromaFormatIdc === 1 ? 2 : 1) * fieldsPerFrame
  return {
    width: widthInMacroblocks * 16 - cropX * unitX,
    height: heightInUnits * 16 * fieldsPerFrame - cropY * unitY,
  }
}

/** Walks through the VUI (annex E.1.1) to `max_num_reorder_frames`, which stands near its end. */
function readReorderRestriction(reader: BitReader): number | undefined {
  const isExtendedAspect = reader.flag() && reader.bits(8) === 255
  if (isExtendedAspect) reader.skip(32)
  if (reader.flag()) reader.skip(1)
  if (reader.flag()) {
    reader.skip(4)
    if (reader.flag()) reader.skip(24)
  }
  if (reader.flag()) {
    reader.ue()
    reader.ue()
  }
  if (reader.flag()) reader.skip(65)
  const hasNalHrd = skipHrd(reader)
  const hasVclHrd = skipHrd(reader)
  if (hasNalHrd || hasVclHrd) reader.skip(1)
  reader.skip(1)
  if (!reader.flag()) return undefined
  reader.skip(1)
  for (let i = 0; i < 4; i++) reader.ue()
  return Math.min(16, reader.ue())
}

function skipHrd(reader: BitReader): boolean {
  const isPresent = reader.flag()
  if (isPresent) {
    const count = Math.min(32, reader.ue() + 1)
    reader.skip(8)
    for (let i = 0; i < count; i++) {
      reader.ue()
      reader.ue()
      reader.skip(1)
    }
    reader.skip(20)
  }
  return isPresent
}
