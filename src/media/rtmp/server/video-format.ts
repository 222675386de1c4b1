import { type VideoCodec } from '../wire/flv-video.ts'
import { type SetTypes } from '../wire/merge-parameter-sets.ts'
import { type Depacketizer } from '../../rtp/access-unit.ts'
import { type NalUnitPacketizer, type PacketizerOptions } from '../../rtp/nal-unit-packetizer.ts'
import { type MediaTrack } from '../../stream.ts'

export interface VideoConfiguration {
  /** In decoding order: VPS, SPS, PPS. */
  readonly parameterSets: readonly Buffer[]
  /** Bytes of the length before each NAL unit of a frame. */
  readonly lengthSize: number
}

export interface PictureInfo {
  readonly width: number
  readonly height: number
  /** Undefined when the stream doesn't say. */
  readonly maxReorderedFrames: number | undefined
}

/** All that RTMP needs to know of a video codec. */
export interface VideoFormat extends SetTypes {
  readonly codec: VideoCodec
  /** Those that may only come with a keyframe. */
  readonly sequenceSetTypes: readonly number[]
  readonly delimiterType: number
  isCarriable(nalUnit: Buffer): boolean
  isSlice(nalUnit: Buffer): boolean
  /** `isFlagged`: the container calls it a keyframe. */
  isKeyframe(nalUnits: readonly Buffer[], isFlagged: boolean): boolean
  /** Reads the decoder configuration record. Undefined when it has no usable parameter sets. */
  parseConfiguration(data: Buffer): VideoConfiguration | undefined
  /** The record for these sets, with lengths of four bytes. */
  buildConfiguration(parameterSets: readonly Buffer[]): Buffer | undefined
  readPictureInfo(parameterSets: readonly Buffer[]): PictureInfo | undefined
  describeTrack(payloadType: number, parameterSets: readonly Buffer[]): MediaTrack
  createPacketizer(options: PacketizerOptions): NalUnitPacketizer
  createDepacketizer(): Depacketizer
}
