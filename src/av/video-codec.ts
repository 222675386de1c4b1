import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, type Stream } from 'node-av'
import { type VideoCodec } from '../core/video-codec.ts'

/** FFmpeg's ids. */
export const VIDEO_CODEC_IDS = { h264: AV_CODEC_ID_H264, h265: AV_CODEC_ID_HEVC } as const satisfies Record<
  VideoCodec,
  number
>

/** Undefined for all other codecs. */
export function videoCodecOf({ codecpar: { codecId } }: Stream): VideoCodec | undefined {
  if (codecId === VIDEO_CODEC_IDS.h264) return 'h264'
  return codecId === VIDEO_CODEC_IDS.h265 ? 'h265' : undefined
}
