/** The kinds of picture files, by FFmpeg's name for what reads them. */
export type PictureDemuxer = 'jpeg_pipe' | 'png_pipe' | 'bmp_pipe' | 'webp_pipe'

/** As many bytes of a file as must be known to tell. */
export const pictureHeaderLength = 12

/** What kind of picture a file is by its first bytes, whatever its name says; undefined for anything else. */
export function pictureDemuxerFor(header: Uint8Array): PictureDemuxer | undefined {
  const bytes = Buffer.from(header)
  const has = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text
  if (has('\xff\xd8\xff')) return 'jpeg_pipe'
  if (has('\x89PNG\r\n\x1a\n')) return 'png_pipe'
  if (has('RIFF') && has('WEBP', 8)) return 'webp_pipe'
  // The file's size stands in bytes 2 to 5, and zeros after it.
  if (has('BM') && has('\0\0\0\0', 6)) return 'bmp_pipe'
  return undefined
}
