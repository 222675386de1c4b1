import { AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, type CodecContext, FF_ENCODER_LIBX264, Rational } from 'node-av'
import { CLOCK_RATE } from '../clock-rate.ts'
import { openEncoder } from './open-encoder.ts'
import { type OutputPicture } from './output-picture.ts'
import { maxBitsPerSecond } from './rate-cap.ts'

/** Fast, without any delay, and with its parameters in front of each keyframe, so that readers may join there. */
const options = {
  preset: 'ultrafast',
  tune: 'zerolatency',
  crf: '24',
  // A frame that we ask to be a keyframe is one from which decoding can begin.
  'forced-idr': '1',
}

/** x264 for pictures like this one, on one thread. Its output is Annex B in the constrained baseline profile: browsers take it. */
export function openH264({ width, height, frame }: OutputPicture, fps: number): CodecContext {
  return openEncoder(FF_ENCODER_LIBX264, {
    settings: {
      width,
      height,
      pixelFormat: AV_PIX_FMT_YUV420P,
      timeBase: new Rational(1, CLOCK_RATE),
      framerate: new Rational(Math.round(1000 * fps), 1000),
      threadCount: 1,
      maxBFrames: 0,
      // Keyframes are asked for by time; this only has to be longer.
      gopSize: 100_000,
      rcMaxRate: BigInt(maxBitsPerSecond({ width, height })),
      rcBufferSize: maxBitsPerSecond({ width, height }),
      colorRange: AVCOL_RANGE_MPEG,
      colorSpace: frame.colorSpace,
      colorPrimaries: frame.colorPrimaries,
      colorTrc: frame.colorTrc,
      sampleAspectRatio: frame.sampleAspectRatio,
    },
    options,
    ifMissing: 'This FFmpeg has no x264; install a build that has it to get processed video.',
    ifRefused: `No encoder for ${width}×${height} can be started`,
  })
}
