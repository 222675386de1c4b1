import { type PictureFormat, pictureFormatIn } from '../../av/picture-header.ts'

/** The kinds of picture files, by FFmpeg's name for what reads them. */
export type PictureDemuxer = `${PictureFormat}_pipe`

/** As many bytes of a file as the format is known by. */
export const PICTURE_HEADER_LENGTH = 12

/** What kind of picture a file is by its first bytes, whatever its name says; undefined for anything else. */
export function pictureDemuxerFor(header: Uint8Array): PictureDemuxer | undefined {
  const bytes = Buffer.from(header)
  const format = pictureFormatIn(bytes)
  // Much begins with BM. In a picture the file's size stands in bytes 2 to 5, and zeros after it.
  if (format === undefined || (format === 'bmp' && bytes.toString('latin1', 6, 10) !== '\0\0\0\0')) return undefined
  return `${format}_pipe`
}
