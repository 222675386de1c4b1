import '../../av/polyfill.ts'
import { open } from 'node:fs/promises'
import {
  AV_LOG_QUIET,
  AV_PIX_FMT_RGB24,
  Codec,
  CodecContext,
  FF_DECODER_MJPEG,
  FF_DECODER_PNG,
  FF_DECODER_WEBP,
  Frame,
  Log,
  Packet,
  SoftwareScaleContext,
} from 'node-av'
import { type Size } from '../../core/detection.ts'
import { allocateFrame } from '../../av/allocate-frame.ts'
import { check } from '../../av/faults.ts'
import { limitPictures } from '../../av/limited-decoder.ts'
import { type PictureFormat, pictureFormatIn, pictureSizeIn } from '../../av/picture-header.ts'
import {
  checkPictureSize,
  DEFAULT_PICTURE_LIMIT,
  type PictureLimit,
  PictureTooLargeError,
} from '../../core/picture-limit.ts'
import { exifOrientation, turnUpright } from './exif-orientation.ts'
import { emptyPicture, type RgbPicture } from './rgb-picture.ts'

/** A picture that cannot be looked at; the message says why. */
export class PictureError extends Error {}

const MAX_BYTES = 64 * 2 ** 20
/** Larger pictures are scaled down to it: nothing on a vehicle needs more, and memory stays below 60 MB. */
const MAX_SIDE = 4096
const MIN_SIDE = 8

// FFmpeg's own lines would break our log; what went wrong comes as an error.
Log.setLevel(AV_LOG_QUIET)

/** A JPEG, PNG or WebP file as it is to be looked at. Throws a `PictureError`. */
export async function readPicture(file: string, limit = DEFAULT_PICTURE_LIMIT): Promise<RgbPicture> {
  const bytes = await readBytes(file)
  const format = pictureFormatIn(bytes)
  const decoder = format && decoders[format]
  if (!decoder) throw new PictureError(`${file} is no picture; give a JPEG, PNG or WebP file.`)
  const picture = decode(file, bytes, decoder, limit)
  return decoder === FF_DECODER_MJPEG ? turnUpright(picture, exifOrientation(bytes)) : picture
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    const handle = await open(file)
    try {
      const stat = await handle.stat()
      if (stat.isDirectory()) throw new PictureError(`${file} is a folder; name the pictures in it.`)
      if (stat.size > MAX_BYTES) throw new PictureError(`${file} is too large: more than ${MAX_BYTES >> 20} MB.`)
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof PictureError) throw error
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new PictureError(isMissing ? `There is no file ${file}.` : `${file} cannot be read.`, { cause: error })
  }
}

const decoders = { jpeg: FF_DECODER_MJPEG, png: FF_DECODER_PNG, webp: FF_DECODER_WEBP, bmp: undefined } as const

type Decoder = NonNullable<(typeof decoders)[PictureFormat]>

function decode(file: string, bytes: Buffer, decoder: Decoder, limit: PictureLimit): RgbPicture {
  const context = openContext(decoder, limit)
  const packet = new Packet()
  const frame = new Frame()
  packet.alloc()
  frame.alloc()
  try {
    const declared = pictureSizeIn(bytes)
    if (declared) checkPictureSize(declared, limit)
    packet.data = bytes
    check(context.sendPacketSync(packet))
    // Decoders hold a picture back until they know that nothing follows.
    check(context.sendPacketSync(null))
    check(context.receiveFrameSync(frame))
    checkPictureSize(frame, limit)
    if (Math.min(frame.width, frame.height) < MIN_SIDE)
      throw new PictureError(`${file} is too small: ${frame.width}×${frame.height} pixels.`)
    return toRgb(frame)
  } catch (error) {
    if (error instanceof PictureError) throw error
    if (error instanceof PictureTooLargeError)
      throw new PictureError(`${file} is not read: ${error.message}`, { cause: error })
    throw new PictureError(`${file} is damaged.`, { cause: error })
  } finally {
    frame.free()
    packet.free()
    context.freeContext()
  }
}

function openContext(name: Decoder, limit: PictureLimit): CodecContext {
  const codec = Codec.findDecoderByName(name)
  if (!codec) throw new PictureError(`This FFmpeg cannot read ${name}; install a build that can.`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.threadCount = 1
  limitPictures(context, limit)
  // Else what is missing of a JPEG that was cut off is made up, in green.
  check(context.setOption('err_detect', 'explode'))
  check(context.open2Sync(codec, null))
  return context
}

function toRgb(frame: Frame): RgbPicture {
  const size = withinMaxSide(frame)
  const rgb = allocateFrame(size, AV_PIX_FMT_RGB24)
  const scaler = new SoftwareScaleContext()
  try {
    scaler.allocContext()
    check(scaler.scaleFrameSync(rgb, frame))
    const picture = emptyPicture(size.width, size.height)
    const [data, stride] = [rgb.data![0]!, rgb.linesize[0]!]
    for (let y = 0; y < size.height; y++)
      picture.rgb.set(data.subarray(y * stride, y * stride + 3 * size.width), 3 * y * size.width)
    return picture
  } finally {
    rgb.free()
    scaler.freeContext()
  }
}

function withinMaxSide({ width, height }: Size): Size {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
