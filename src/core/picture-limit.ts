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
  /** Without its size where that isn't known. */
  constructor(size: Size | undefined, limit: PictureLimit) {
    super(
      `A picture${size ? ` of ${inPixels(size)} pixels` : ''} is too large: up to ${inPixels(limit)} are taken, in any shape with sides of up to ` +
        `${MAX_PICTURE_SIDE}. Send smaller pictures, or have the operator raise AERIE_MAX_PICTURE.`,
    )
    this.name = 'PictureTooLargeError'
  }
}

/** A size that is not known yet, 0×0, is no reason to refuse. */
export function checkPictureSize({ width, height }: Size, limit: PictureLimit): void {
  const isWithin = width * height <= limit.width * limit.height && Math.max(width, height) <= MAX_PICTURE_SIDE
  if (!isWithin) throw new PictureTooLargeError({ width, height }, limit)
}

function inPixels({ width, height }: Size): string {
  return `${width}×${height}`
}
