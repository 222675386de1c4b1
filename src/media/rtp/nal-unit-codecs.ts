import { type VideoCodec } from '../../core/video-codec.ts'
import { type Codec, type MediaTrack, type VideoTrack } from '../stream.ts'
import { h264Codec } from './h264-codec.ts'
import { h265Codec } from './h265-codec.ts'
import { type NalUnitCodec } from './nal-unit-codec.ts'

export const NAL_UNIT_CODECS: Readonly<Record<VideoCodec, NalUnitCodec>> = { h264: h264Codec, h265: h265Codec }

/** Undefined for codecs that do not come in NAL units, such as those of sound. */
export function nalUnitCodecOf(codec: Codec): NalUnitCodec | undefined {
  return (NAL_UNIT_CODECS as Partial<Record<Codec, NalUnitCodec>>)[codec]
}

export function isVideoTrack(track: MediaTrack): track is VideoTrack {
  return nalUnitCodecOf(track.codec) !== undefined
}
