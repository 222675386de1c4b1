import { type Size } from './detection.ts'

/**
 * The largest picture that is decoded. What counts is the number of its pixels, whatever its shape; and no side may be longer
 * than `MAX_PICTURE_SIDE`.
 */
export type PictureLimit = Size

export const MAX_PICTURE_SIDE = 16_384
export const DEFAULT_PICTURE_LIMIT: PictureLimit = { width: 8192, height: 4320 }

/** `8192x4320`; undefined for anything else, and for sides that no picture has. */
export function parsePictureLimit(text: string): PictureLimit | undefined {
  const [, width, height] = (/^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? []).map(Number)
  const isSide = (pixels = 0) => pixels >= 16 && pixels <= MAX_PICTURE_SIDE
  return isSide(width) && isSide(height) ? { width: width!, height: height! } : undefined
}

/** The message is a sentence for the user. */
export class PictureTooLargeError extends Error {
  override readonly name = 'PictureTooLargeError'
}

/** Without its size where that isn't known. */
export function tooManyPixels(size: Size | undefined, limit: PictureLimit): PictureTooLargeError {
  return new PictureTooLargeError(
    `A picture${size ? ` of ${inPixels(size)} pixels` : ''} is too large: up to ${inPixels(limit)} are taken, in any shape with sides of up to ` +
      `${MAX_PICTURE_SIDE}. Send smaller pictures, or have the operator raise AERIE_MAX_PICTURE.`,
  )
}

/** A size that is not known yet, 0×0, is no reason to refuse. */
export function checkPictureSize({ width, height }: Size, limit: PictureLimit): void {
  const isWithin = width * height <= limit.width * limit.height && Math.max(width, height) <= MAX_PICTURE_SIDE
  if (!isWithin) throw tooManyPixels({ width, height }, limit)
}

/** Pictures that a decoder holds at the same time: those that it refers to, and the one that it makes. */
export interface HeldPictures extends Size {
  /** As FFmpeg names it. */
  readonly pixelFormat: string
  readonly bytes: number
  readonly references: number
}

/** H.264 and H.265 allow no more. */
const MAX_REFERENCES = 16
/** Beside its pixels a decoder keeps how each block of a picture moved. */
const BYTES_PER_PIXEL_OF_MOTION = 0.5

/** So that a limit for small pictures does not refuse deep ones of that size. */
const MIN_DECODER_BYTES = 2 ** 29

/**
 * What a decoder may hold: as many of the largest pictures, in the format of nearly every camera (4:2:0 of 8 bits, 1.5 bytes a
 * pixel), as there may be. Pictures of more colours, deeper ones or smaller ones share it.
 */
function maxDecoderBytes(limit: PictureLimit): number {
  const bytesAPixel = (MAX_REFERENCES + 1) * (1.5 + BYTES_PER_PIXEL_OF_MOTION)
  return Math.max(MIN_DECODER_BYTES, bytesAPixel * limit.width * limit.height)
}

/** Throws a `PictureTooLargeError` when so many of such pictures take more memory than a decoder has. */
export function checkHeldPictures(held: HeldPictures, limit: PictureLimit): void {
  const needed = (held.references + 1) * (held.bytes + BYTES_PER_PIXEL_OF_MOTION * held.width * held.height)
  if (needed <= maxDecoderBytes(limit)) return
  throw new PictureTooLargeError(
    `Pictures of ${inPixels(held)} pixels (${held.pixelFormat}) with ${held.references} references need ${inMegabytes(needed)} MB of memory, ` +
      `and a decoder may take ${inMegabytes(maxDecoderBytes(limit))}. Set the sender to fewer reference frames, to 8 bits and 4:2:0, or to smaller ` +
      'pictures; or have the operator raise AERIE_MAX_PICTURE.',
  )
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

function inPixels({ width, height }: Size): string {
  return `${width}×${height}`
}
