import { type VideoCodec } from '../../../core/video-codec.ts'
import { type NalUnitCodec } from '../../rtp/nal-unit-codec.ts'

export interface VideoConfiguration {
  /** In decoding order: VPS, SPS, PPS. */
  readonly parameterSets: readonly Buffer[]
  /** Bytes of the length before each NAL unit of a frame. */
  readonly lengthSize: number
}

/** What RTMP needs to know of a video codec, beyond what everybody does. */
export interface VideoFormat extends NalUnitCodec {
  readonly codec: VideoCodec
  /** Those that may only come with a keyframe. */
  readonly sequenceSetTypes: readonly number[]
  /** `isFlagged`: the container calls it a keyframe. */
  isKeyframe(nalUnits: readonly Buffer[], isFlagged: boolean): boolean
  /** Reads the decoder configuration record. Undefined when it has no usable parameter sets. */
  parseConfiguration(data: Buffer): VideoConfiguration | undefined
  /** The record for these sets, with lengths of four bytes. */
  buildConfiguration(parameterSets: readonly Buffer[]): Buffer | undefined
}
