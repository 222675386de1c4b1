import { type Size } from '../../core/detection.ts'

/** A decoded picture: three bytes a pixel (red, green, blue), lines without gaps. */
export interface RgbPicture extends Size {
  readonly rgb: Uint8Array
}

export function emptyPicture(width: number, height: number): RgbPicture {
  return { width, height, rgb: new Uint8Array(width * height * 3) }
}
