import { emptyPicture, type RgbPicture } from './rgb-picture.ts'

/** How a camera was held, as EXIF says (tag 0x0112): 1 is upright. Anything that can't be understood is 1 too. */
export function exifOrientation(jpeg: Uint8Array): number {
  const tiff = findTiff(jpeg)
  if (!tiff || tiff.byteLength < 14) return 1
  const isLittle = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, isLittle)
  if (directory + 2 > tiff.byteLength) return 1
  const entries = tiff.getUint16(directory, isLittle)
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + 12 * entry
    if (at + 12 > tiff.byteLength) return 1
    if (tiff.getUint16(at, isLittle) !== 0x0112) continue
    const value = tiff.getUint16(at + 8, isLittle)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** What stands in the APP1 segment after `Exif\0\0`, or undefined. Segments end where the picture's data begin (SOS). */
function findTiff(jpeg: Uint8Array): DataView | undefined {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  for (let at = 2; at + 4 <= view.byteLength;) {
    const marker = view.getUint16(at)
    const length = view.getUint16(at + 2)
    if (marker >> 8 !== 0xff || marker === 0xffda || length < 2) return undefined
    const isLong = length >= 8 && at + 10 <= view.byteLength
    const isExif = marker === 0xffe1 && isLong && view.getUint32(at + 4) === 0x45786966
    if (isExif) {
      const from = at + 10
      return new DataView(view.buffer, view.byteOffset + from, Math.min(length - 8, view.byteLength - from))
    }
    at += 2 + length
  }
  return undefined
}

/** The picture as it is to be looked at. */
export function turnUpright(picture: RgbPicture, orientation: number): RgbPicture {
  if (orientation === 1) return picture
  const { width, height, rgb } = picture
  const isTurned = orientation >= 5
  const turned = isTurned ? emptyPicture(height, width) : emptyPicture(width, height)
  const isMirroredX = [2, 3, 7, 8].includes(orientation)
  const isMirroredY = [3, 4, 6, 7].includes(orientation)
  for (let y = 0, to = 0; y < turned.height; y++) {
    for (let x = 0; x < turned.width; x++, to += 3) {
      const [column, row] = isTurned ? [y, x] : [x, y]
      const fromX = isMirroredX ? width - 1 - column : column
      const fromY = isMirroredY ? height - 1 - row : row
      const from = 3 * (fromY * width + fromX)
      turned.rgb[to] = rgb[from]!
      turned.rgb[to + 1] = rgb[from + 1]!
      turned.rgb[to + 2] = rgb[from + 2]!
    }
  }
  return turned
}
