import { type VideoTrack } from '../stream.ts'
import { type Depacketizer } from './access-unit.ts'
import { type NalUnitPacketizer, type PacketizerOptions } from './nal-unit-packetizer.ts'

/** What a sequence parameter set says of the pictures, whatever the codec. */
export interface PictureInfo {
  readonly width: number
  readonly height: number
  /** How many pictures may precede a picture in decoding order and follow it in output; undefined when the stream doesn't say. */
  readonly maxReorderedFrames: number | undefined
}

/** All that there is to know of a video codec that comes in NAL units. */
export interface NalUnitCodec {
  /** Bytes of the header of a NAL unit, and of an aggregation packet. */
  readonly headerLength: number
  /** The type of RTP's aggregation packets. */
  readonly aggregateType: number
  /** The types without which nothing can be decoded, in decoding order. */
  readonly parameterSetTypes: readonly number[]
  readonly spsType: number
  readonly delimiterType: number
  readonly typeOf: (nalUnit: Buffer) => number
  /** Whether RTP can carry it. */
  isCarriable(nalUnit: Buffer): boolean
  isSlice(nalUnit: Buffer): boolean
  /** Decoding can begin with a picture of such units. */
  readonly isKeyUnit: (nalUnit: Buffer) => boolean
  /** No picture after one of such units refers to one before it: a decoder can go on there whatever it has missed. */
  readonly isClosedKeyUnit: (nalUnit: Buffer) => boolean
  /** Which of its kind a parameter set is: a stream may use several side by side. */
  setIdOf(parameterSet: Buffer): number
  /** Undefined when the set is cut short or makes no sense. */
  parseSps(sps: Buffer): PictureInfo | undefined
  describeTrack(payloadType: number, parameterSets: readonly Buffer[]): VideoTrack
  createPacketizer(options: PacketizerOptions): NalUnitPacketizer
  createDepacketizer(): Depacketizer
}

export function isParameterSet({ parameterSetTypes, typeOf }: NalUnitCodec, nalUnit: Buffer): boolean {
  return parameterSetTypes.includes(typeOf(nalUnit))
}

export function findSps({ spsType, typeOf }: NalUnitCodec, nalUnits: readonly Buffer[]): Buffer | undefined {
  return nalUnits.find((nalUnit) => typeOf(nalUnit) === spsType)
}

/** Undefined when there is no sequence parameter set among them, or none that makes sense. */
export function readPictureInfo(codec: NalUnitCodec, nalUnits: readonly Buffer[]): PictureInfo | undefined {
  const sps = findSps(codec, nalUnits)
  return sps && codec.parseSps(sps)
}
