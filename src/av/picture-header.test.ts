import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { pictureSizeIn } from './picture-header.ts'

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
])('the size of a %s is told by its head, however little of it there is', (_name, encoder) => {
  const bytes = picture(...encoder)
  expect(pictureSizeIn(bytes)).toEqual({ width: 322, height: 178 })
  for (let length = 0; length < 700; length++) {
    const size = pictureSizeIn(bytes.subarray(0, length))
    if (size) expect(size).toEqual({ width: 322, height: 178 })
  }
})

test('what is no picture has no size', () => {
  for (const text of ['', 'hello', 'x'.repeat(100), '\xff\xd8\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff'])
    expect(pictureSizeIn(Buffer.from(text, 'latin1'))).toBeUndefined()
})
