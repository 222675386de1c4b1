import { expect, test } from 'vitest'
import { pictureDemuxerFor } from './picture-format.ts'

test.each([
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'jpeg_pipe'],
  ['\x89PNG\r\n\x1a\n\0\0\0\r', 'png_pipe'],
  ['RIFF\x10\x20\0\0WEBP', 'webp_pipe'],
  ['BM\x36\x10\0\0\0\0\0\0\x36\0', 'bmp_pipe'],
  ['RIFF\x10\x20\0\0AVI ', undefined],
  ['\0\0\0\x20ftypisom', undefined],
  ['BMW drives', undefined],
  ['#EXTM3U\n', undefined],
  ['', undefined],
])('a file that begins with %j is read by %s', (header, demuxer) => {
  expect(pictureDemuxerFor(Buffer.from(header, 'latin1'))).toBe(demuxer)
})
