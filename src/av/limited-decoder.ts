import { type CodecContext, type Packet } from 'node-av'
import { checkPictureSize, MAX_PICTURE_SIDE, type PictureLimit, PictureTooLargeError } from '../core/picture-limit.ts'
import { check } from './check.ts'
import { pictureSizeIn } from './picture-header.ts'

/** Decoders count pixels of whole blocks, of up to 64 on each side. */
const BLOCK = 64

/**
 * Makes a decoder that is not open yet refuse larger pictures by itself, before it takes memory for them: whatever a container
 * says, only the coded pictures tell how large they are, and they may change.
 */
export function limitPictures(context: CodecContext, { width, height }: PictureLimit): void {
  const pixels = width * height
  // The shape that the blocks make largest is a strip as long as a side may be.
  const rounding = BLOCK * (MAX_PICTURE_SIDE + pixels / MAX_PICTURE_SIDE + BLOCK)
  check(context.setOption('max_pixels', Math.round(pixels + rounding)))
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
  if (hadSize && context.width === 0) throw new PictureTooLargeError(undefined, limit)
}
