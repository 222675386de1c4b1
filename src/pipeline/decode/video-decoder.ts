import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_LOW_DELAY,
  avGetCodecName,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  Codec,
  CodecContext,
  FFmpegError,
  type CodecParameters,
  type IRational,
  type Packet,
} from 'node-av'
import { checkDecoderMemory, checkRefusedPacket, limitPictures } from '../../av/limited-decoder.ts'
import { checkPictureSize, DEFAULT_PICTURE_LIMIT, type PictureLimit } from '../../core/picture-limit.ts'
import { createFramePool, type DecodedFrame } from './frame-pool.ts'

export interface VideoDecoder {
  /**
   * The pictures that this packet completes: none (a broken packet, or one that waits for others), one, or several. They come
   * as they are asked for and must be released; what was not asked for is dropped by the next call. Throws a
   * `PictureTooLargeError` when a picture is larger than the limit, or too many of them must be held.
   */
  decode(packet: Packet): Generator<DecodedFrame, void, undefined>
  /** The pictures that were still waiting for others, at the end of the stream; nothing can be decoded after it. */
  flush(): Generator<DecodedFrame, void, undefined>
  readonly stats: DecoderStats
  /** Ends decoding. Pictures that are still held stay valid until they are released. */
  close(): void
}

export interface DecoderStats {
  readonly packets: number
  readonly frames: number
  /** Packets that could not be decoded: lost data, or the rest of a group of pictures whose keyframe was missed. */
  readonly brokenPackets: number
}

/** What must be known of a stream; node-av's `Stream` is one. */
export interface CodedVideo {
  readonly codecpar: CodecParameters
  readonly timeBase: IRational
}

export interface DecoderOptions {
  /** Hand out each picture as soon as it is known, without waiting for damage or order to be sorted out. */
  readonly isLive?: boolean
  /** How many pictures may be held at once. One more is an error: somebody forgot to release theirs. */
  readonly maxHeld?: number
  readonly limit?: PictureLimit
}

/**
 * Decodes on the calling thread, in step with the packets: one thread costs the least CPU and holds no picture back. (With two
 * threads 720p took 15 % less time and 6 % more CPU, and pictures came one packet late.) The inference has a thread of its own.
 */
export function createVideoDecoder(
  { codecpar, timeBase }: CodedVideo,
  { isLive = false, maxHeld = 16, limit = DEFAULT_PICTURE_LIMIT }: DecoderOptions = {},
): VideoDecoder {
  const context = openContext(codecpar, isLive, limit)
  const pool = createFramePool({ maxHeld, timeBase })
  const stats = { packets: 0, frames: 0, brokenPackets: 0 }

  function* receive(): Generator<DecodedFrame, void, undefined> {
    for (;;) {
      const frame = pool.take((empty) => context.receiveFrameSync(empty))
      if (typeof frame === 'number') {
        if (frame !== AVERROR_EAGAIN && frame !== AVERROR_EOF) stats.brokenPackets++
        return
      }
      try {
        checkPictureSize(frame, limit)
      } catch (error) {
        frame.release()
        throw error
      }
      stats.frames++
      yield frame
    }
  }

  function send(packet: Packet | null): number {
    const sent = context.sendPacketSync(packet)
    if (sent !== AVERROR_EAGAIN) return sent
    // A packet is refused while pictures of the last one are waiting.
    for (const frame of receive()) frame.release()
    return context.sendPacketSync(packet)
  }

  function decode(packet: Packet): void {
    if (send(packet) >= 0) return checkDecoderMemory(context, limit)
    checkRefusedPacket(context, packet, { limit, hadSize: codecpar.width > 0 || stats.frames > 0 })
    stats.brokenPackets++
  }

  return {
    stats,
    decode(packet) {
      stats.packets++
      decode(packet)
      return receive()
    },
    flush() {
      send(null)
      return receive()
    },
    close() {
      context.freeContext()
      pool.close()
    },
  }
}

function openContext(parameters: CodecParameters, isLive: boolean, limit: PictureLimit): CodecContext {
  checkPictureSize(parameters, limit)
  const name = avGetCodecName(parameters.codecId) ?? 'unknown'
  const codec = Codec.findDecoder(parameters.codecId)
  if (!codec) throw new Error(`Video of the kind ${name} cannot be decoded here; send H.264 or H.265.`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.parametersToContext(parameters)
  context.threadCount = 1
  limitPictures(context, limit)
  // MPEG-4 and its kin (avi) are otherwise decoded with rounding shortcuts on x64, whose errors add up until the next keyframe.
  context.setFlags(AV_CODEC_FLAG_BITEXACT)
  if (isLive) context.setFlags(AV_CODEC_FLAG_LOW_DELAY)
  const opened = context.open2Sync(codec, null)
  if (opened >= 0) return context
  context.freeContext()
  const cause = new FFmpegError(opened)
  throw new Error(`Video of this kind of ${name} cannot be decoded here; send plain H.264 or H.265.`, { cause })
}
