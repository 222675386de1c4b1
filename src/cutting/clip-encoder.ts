import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type CodecContext,
  FF_ENCODER_LIBX264,
  Frame,
  Packet,
  Rational,
} from 'node-av'
import { check } from '../av/faults.ts'
import { splitByStartCodes } from '../media/rtp/annex-b.ts'
import { isH264Slice } from '../media/rtp/h264-nal-unit.ts'
import { CLOCK_RATE } from '../pipeline/clock-rate.ts'
import { openEncoder } from '../pipeline/encode/open-encoder.ts'
import { type ParameterSetRecord, sortSets, toSample } from './parameter-set-record.ts'

/** Pictures that are encoded anew, so that they look as they did. */
export interface ClipEncoder {
  readonly sets: ParameterSetRecord
  /** `ticks` (90 kHz) must grow. Answers what is done by now; the first picture is a keyframe. */
  encode(frame: Frame, ticks: number): EncodedSample[]
  /** What is left; nothing can be encoded after it. */
  flush(): EncodedSample[]
  close(): void
}

/** As an MP4 file has it. */
export interface EncodedSample {
  readonly data: Buffer
  readonly ticks: number
  readonly isKeyframe: boolean
}

export interface ClipEncoderOptions {
  /** 0 where it is not known. */
  readonly fps: number
  /** For its parameter sets, where others stand beside them. */
  readonly setId?: number | undefined
  /** As of H.264: what plays the rest plays this too. */
  readonly profileIdc?: number | undefined
  /** So many seconds apart; left out, only the first is one. */
  readonly keyframeSeconds?: number
}

const PROFILES = new Map([
  [66, 'baseline'],
  [77, 'main'],
])
const DEFAULT_FPS = 25

export const canEncode = ({ format }: Pick<Frame, 'format'>): boolean =>
  format === AV_PIX_FMT_YUV420P || format === AV_PIX_FMT_YUVJ420P

/** x264 for pictures like this one, of its size, range and colours; on one thread, since others need the cores. */
export function createClipEncoder(like: Frame, options: ClipEncoderOptions): ClipEncoder {
  const context = openContext(like, options)
  const packet = new Packet()
  packet.alloc()
  // Times are noted on a frame of our own, because others read the picture too.
  const own = new Frame()
  own.alloc()

  function receive(): EncodedSample[] {
    const samples: EncodedSample[] = []
    for (;;) {
      const result = context.receivePacketSync(packet)
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return samples
      check(result)
      const units = splitByStartCodes(packet.data!).filter(isH264Slice)
      samples.push({ data: toSample(units), ticks: Number(packet.pts), isKeyframe: packet.isKeyframe })
      packet.unref()
    }
  }

  return {
    sets: sortSets(splitByStartCodes(context.extraData ?? Buffer.alloc(0))),
    encode(frame, ticks) {
      check(own.ref(frame))
      try {
        own.pts = BigInt(ticks)
        own.pictType = AV_PICTURE_TYPE_NONE
        check(context.sendFrameSync(own))
      } finally {
        own.unref()
      }
      return receive()
    },
    flush() {
      check(context.sendFrameSync(null))
      return receive()
    },
    close() {
      context.freeContext()
      own.free()
      packet.free()
    },
  }
}

function openContext(like: Frame, { fps, setId, profileIdc, keyframeSeconds }: ClipEncoderOptions): CodecContext {
  const rate = fps || DEFAULT_FPS
  const profile = profileIdc === undefined ? undefined : PROFILES.get(profileIdc)
  return openEncoder(FF_ENCODER_LIBX264, {
    settings: {
      width: like.width,
      height: like.height,
      pixelFormat: like.format as CodecContext['pixelFormat'],
      timeBase: new Rational(1, CLOCK_RATE),
      framerate: new Rational(Math.round(1000 * rate), 1000),
      threadCount: 1,
      maxBFrames: 0,
      gopSize: keyframeSeconds === undefined ? 100_000 : Math.max(1, Math.round(keyframeSeconds * rate)),
      flags: AV_CODEC_FLAG_GLOBAL_HEADER,
      colorRange: like.colorRange,
      colorSpace: like.colorSpace,
      colorPrimaries: like.colorPrimaries,
      colorTrc: like.colorTrc,
      sampleAspectRatio: like.sampleAspectRatio,
    },
    options: {
      preset: 'veryfast',
      crf: '19',
      ...(profile !== undefined && { profile }),
      'x264-params': `scenecut=0:sync-lookahead=0:rc-lookahead=0${setId === undefined ? '' : `:sps-id=${setId}`}`,
    },
    ifMissing: 'This FFmpeg has no x264; install a build that has it to cut clips.',
    ifRefused: `No encoder for ${like.width}×${like.height} can be started`,
  })
}
