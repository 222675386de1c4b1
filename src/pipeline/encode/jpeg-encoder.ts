import {
  AV_CODEC_FLAG_QSCALE,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT470BG,
  type CodecContext,
  FF_ENCODER_MJPEG,
  FF_QP2LAMBDA,
  Frame,
  Packet,
  Rational,
  SoftwareScaleContext,
} from 'node-av'
import { allocateFrame } from '../../av/allocate-frame.ts'
import { check } from '../../av/faults.ts'
import { type Size } from '../../core/detection.ts'
import { openEncoder } from './open-encoder.ts'
import { simplifyTags } from './colour-tags.ts'
import { type OutputPicture } from './output-picture.ts'

export interface JpegEncoder {
  /**
   * The picture as a JPEG, encoded off the calling thread; it is held meanwhile. Undefined while the one before is still
   * under way: viewers get the next. Any size.
   */
  encode(picture: OutputPicture): Promise<Buffer | undefined>
  /** Resolves when everything is released. */
  close(): Promise<void>
}

/** 2 (best) to 31; about what other software calls a quality of 80 of 100. */
const QUANTIZER = 4

interface Opened extends Size {
  readonly context: CodecContext
  /** JPEG knows only the full range of brightness, and colour as in BT.601. */
  readonly full: Frame
}

export function createJpegEncoder(): JpegEncoder {
  const scaler = new SoftwareScaleContext()
  scaler.allocContext()
  // Others read the picture too: what is changed for us, is changed on a frame of our own.
  const source = new Frame()
  source.alloc()
  const packet = new Packet()
  packet.alloc()
  let opened: Opened | undefined
  let working: Promise<Buffer> | undefined
  let isClosed = false

  function end(): void {
    opened?.context.freeContext()
    opened?.full.free()
    opened = undefined
  }

  function openFor({ width, height }: Size): Opened {
    if (opened?.width === width && opened.height === height) return opened
    end()
    const context = openJpeg(width, height)
    try {
      return (opened = { width, height, context, full: fullRange(width, height) })
    } catch (error) {
      context.freeContext()
      throw error
    }
  }

  async function encode(picture: OutputPicture): Promise<Buffer> {
    const { context, full } = openFor(picture)
    picture.retain()
    try {
      check(source.ref(picture.frame))
      simplifyTags(source)
      check(await scaler.scaleFrame(full, source))
    } finally {
      source.unref()
      picture.release()
    }
    check(await context.sendFrame(full))
    check(context.receivePacketSync(packet))
    const jpeg = Buffer.from(packet.data!)
    packet.unref()
    return jpeg
  }

  return {
    async encode(picture) {
      if (working || isClosed) return undefined
      working = encode(picture)
      try {
        return await working
      } catch (error) {
        end()
        throw error
      } finally {
        working = undefined
      }
    },
    async close() {
      isClosed = true
      await working?.catch(() => {})
      end()
      scaler.freeContext()
      source.free()
      packet.free()
    },
  }
}

function openJpeg(width: number, height: number): CodecContext {
  return openEncoder(FF_ENCODER_MJPEG, {
    settings: {
      width,
      height,
      pixelFormat: AV_PIX_FMT_YUV420P,
      colorRange: AVCOL_RANGE_JPEG,
      timeBase: new Rational(1, 25),
      threadCount: 1,
      globalQuality: QUANTIZER * FF_QP2LAMBDA,
      flags: AV_CODEC_FLAG_QSCALE,
    },
    // Tables made for each picture save 3 % of the bytes and cost a fifth of the time.
    options: { huffman: 'default' },
    ifMissing: 'This FFmpeg cannot make JPEGs; install a build that can to get the feed.',
    ifRefused: `No JPEG of ${width}×${height} can be made`,
  })
}

function fullRange(width: number, height: number): Frame {
  return Object.assign(allocateFrame({ width, height }, AV_PIX_FMT_YUV420P), {
    colorRange: AVCOL_RANGE_JPEG,
    colorSpace: AVCOL_SPC_BT470BG,
    quality: QUANTIZER * FF_QP2LAMBDA,
  } satisfies Partial<Frame>)
}
