import {
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_MPEG,
  Codec,
  CodecContext,
  FF_ENCODER_LIBX264,
  FFmpegError,
  Rational,
} from 'node-av'
import { type OutputPicture } from './output-picture.ts'
import { maxBitsPerSecond } from './rate-cap.ts'

/** Ticks a second of times in H.264 over RTP (RFC 6184 §8.2.1). */
export const CLOCK_RATE = 90_000

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
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)
  if (!codec) throw new Error('This FFmpeg has no x264; install a build that has it to get processed video.')
  const context = new CodecContext()
  context.allocContext3(codec)
  Object.assign(context, {
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
  } satisfies Partial<CodecContext>)
  // As options of their own, because a dictionary handed to `open2` is freed twice by the library.
  for (const [name, value] of Object.entries(options)) {
    context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN)
  }
  const opened = context.open2Sync(codec, null)
  if (opened >= 0) return context
  context.freeContext()
  throw new Error(`No encoder for ${width}×${height} can be started: ${new FFmpegError(opened).message}.`)
}
