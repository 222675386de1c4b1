import { type VideoCodec } from '../../../core/video-codec.ts'
import { h264Format } from './h264-format.ts'
import { h265Format } from './h265-format.ts'
import { type VideoFormat } from './video-format.ts'

export const VIDEO_FORMATS: Readonly<Record<VideoCodec, VideoFormat>> = { h264: h264Format, h265: h265Format }
