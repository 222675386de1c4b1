import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_VP9,
  AV_OPT_TYPE_INT,
  AV_PIX_FMT_NONE,
  avGetPixFmtName,
  avImageGetBufferSize,
  type CodecContext,
  type Packet,
} from 'node-av'
import {
  checkHeldPictures,
  checkPictureSize,
  MAX_PICTURE_SIDE,
  type PictureLimit,
  tooManyPixels,
} from '../core/picture-limit.ts'
import { check } from './faults.ts'
import { pictureSizeIn } from './picture-header.ts'

/** Decoders count pixels of whole blocks, of up to 64 on each side. */
const BLOCK = 64

/**
 * Makes a decoder that is not open yet refuse larger pictures by itself, before it takes memory for them: whatever a container
 * says, only the coded pictures say how large they are, and they may change.
 */
export function limitPictures(context: CodecContext, { width, height }: PictureLimit): void {
  const pixels = width * height
  // The shape that the blocks make largest is a strip as long as a side may be.
  const rounding = BLOCK * (MAX_PICTURE_SIDE + pixels / MAX_PICTURE_SIDE + BLOCK)
  check(context.setOption('max_pixels', Math.round(pixels + rounding)))
}

/** Only the decoder of H.264 says how many pictures it holds. Of its largest ones the levels of H.265 allow six. */
const REFERENCES_BY_CODEC = new Map([
  [AV_CODEC_ID_HEVC, 6],
  [AV_CODEC_ID_VP9, 8],
  [AV_CODEC_ID_AV1, 8],
])
/** MPEG-4 and its kin; those for cutting (ProRes, MJPEG) have none. */
const DEFAULT_REFERENCES = 2

/**
 * To be called after every packet that was taken, with or without a picture: pictures of one size take four times the memory by
 * their format and sixteen times by their references, and a stream may change both. Throws a `PictureTooLargeError`.
 */
export function checkDecoderMemory(context: CodecContext, limit: PictureLimit): void {
  const { width, height, pixelFormat, codecId, hasBFrames } = context
  if (pixelFormat === AV_PIX_FMT_NONE || width === 0) return
  const bytes = avImageGetBufferSize(pixelFormat, width, height, 1)
  const refs =
    codecId === AV_CODEC_ID_H264 ? context.getOption('refs', AV_OPT_TYPE_INT) : REFERENCES_BY_CODEC.get(codecId)
  // Pictures that wait for their turn are held as well; most of them are referred to.
  const references = Math.max(refs ?? DEFAULT_REFERENCES, hasBFrames)
  checkHeldPictures({ width, height, pixelFormat: avGetPixFmtName(pixelFormat) ?? 'unknown', bytes, references }, limit)
}

/** Throws a `PictureTooLargeError` if that is why the decoder, which knew a size before or not, refused the packet. */
export function checkRefusedPacket(
  context: CodecContext,
  { data }: Packet,
  { limit, hadSize }: { limit: PictureLimit; hadSize: boolean },
): void {
  // The decoders of H.264 and H.265 keep the size that they refused; others forget theirs.
  checkPictureSize(context, limit)
  const size = data ? pictureSizeIn(data) : undefined
  if (size) checkPictureSize(size, limit)
  if (hadSize && context.width === 0) throw tooManyPixels(undefined, limit)
}
