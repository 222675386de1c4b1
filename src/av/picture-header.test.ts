import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { pictureFormatIn, pictureSizeIn } from './picture-header.ts'

function picture(...encoder: string[]): Buffer {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=322x178', '-frames:v', '1']
  return execFileSync('ffmpeg', ['-v', 'error', ...source, ...encoder, '-'])
}

test.each([
  ['JPEG', ['-c:v', 'mjpeg', '-f', 'image2pipe']],
  ['PNG', ['-c:v', 'png', '-f', 'image2pipe']],
  ['BMP', ['-c:v', 'bmp', '-f', 'image2pipe']],
  ['WebP', ['-c:v', 'libwebp', '-f', 'webp']],
  ['lossless WebP', ['-c:v', 'libwebp', '-lossless', '1', '-pix_fmt', 'bgra', '-f', 'webp']],
  ['animated WebP', ['-c:v', 'libwebp_anim', '-pix_fmt', 'yuva420p', '-f', 'webp']],
])('the size of a %s is read from its head, however little of it there is', (_name, encoder) => {
  const bytes = picture(...encoder)
  expect(pictureSizeIn(bytes)).toEqual({ width: 322, height: 178 })
  for (let length = 0; length < 700; length++) {
    const size = pictureSizeIn(bytes.subarray(0, length))
    if (size) expect(size).toEqual({ width: 322, height: 178 })
  }
})

test.each([
  ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'jpeg'],
  ['\x89PNG\r\n\x1a\n\0\0\0\r', 'png'],
  ['RIFF\x10\x20\0\0WEBP', 'webp'],
  // Whatever stands where zeros should: a decoder reads it all the same.
  ['BM\x36\x10\0\0\x01\0\0\0\x36\0', 'bmp'],
  ['\xff\xd8\0', undefined],
  ['RIFF\x10\x20\0\0AVI ', undefined],
  ['\0\0\0\x20ftypisom', undefined],
  ['', undefined],
])('what begins with %j is of the format %s', (header, format) => {
  expect(pictureFormatIn(Buffer.from(header, 'latin1'))).toBe(format)
})

test('what is no picture has no size', () => {
  for (const text of ['', 'hello', 'x'.repeat(100), '\xff\xd8\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff'])
    expect(pictureSizeIn(Buffer.from(text, 'latin1'))).toBeUndefined()
})
