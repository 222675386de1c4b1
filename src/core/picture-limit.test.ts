import { expect, test } from 'vitest'
import { checkHeldPictures, checkPictureSize, DEFAULT_PICTURE_LIMIT, parsePictureLimit } from './picture-limit.ts'

test.each([
  ['8192x4320', { width: 8192, height: 4320 }],
  ['1920X1080', { width: 1920, height: 1080 }],
  ['16384x16384', { width: 16_384, height: 16_384 }],
  ['16385x16', undefined],
  ['8x8', undefined],
  ['0x4320', undefined],
  ['8192', undefined],
  ['8192×4320', undefined],
  ['-1x16', undefined],
  ['1e3x100', undefined],
])('the limit %s', (text, limit) => expect(parsePictureLimit(text)).toEqual(limit))

test.each([
  ['as large as the limit', 8192, 4320, true],
  ['turned', 4320, 8192, true],
  ['one line more', 8192, 4321, false],
  ['a long strip', 16_384, 2160, true],
  ['a strip that is too long', 16_385, 2, false],
  ['a tower that is too high', 2, 16_385, false],
  ['a square', 15_000, 15_000, false],
  ['not known yet', 0, 0, true],
])('a picture %s', (_name, width, height, isTaken) => {
  const check = () => checkPictureSize({ width, height }, DEFAULT_PICTURE_LIMIT)
  if (isTaken) expect(check).not.toThrow()
  else expect(check).toThrow(`A picture of ${width}×${height} pixels is too large: up to 8192×4320 are taken`)
})

test.each([
  ['8K of 8 bits, with all references that there are', [8192, 4320], 'yuv420p', 1.5, 16, true],
  ['8K of 10 bits, as levels allow it', [8192, 4320], 'yuv420p10le', 3, 6, true],
  ['8K of 10 bits and 4:2:2, as levels allow it', [8192, 4320], 'yuv422p10le', 4, 6, true],
  ['8K of 10 bits, with all references', [8192, 4320], 'yuv420p10le', 3, 16, false],
  ['8K of 10 bits and 4:4:4, with all references', [8192, 4320], 'yuv444p10le', 6, 16, false],
  ['4K of 10 bits, with all references', [3840, 2160], 'yuv420p10le', 3, 16, true],
  ['4K of 10 bits and 4:4:4, with all references', [3840, 2160], 'yuv444p10le', 6, 16, true],
] as const)('a decoder of %s', (_name, [width, height], pixelFormat, bytesAPixel, references, isTaken) => {
  const held = { width, height, pixelFormat, bytes: bytesAPixel * width * height, references }
  const check = () => checkHeldPictures(held, DEFAULT_PICTURE_LIMIT)
  if (isTaken) expect(check).not.toThrow()
  else expect(check).toThrow(`(${pixelFormat}) with 16 references need`)
})

test('a limit for small pictures refuses no deep ones of that size', () => {
  const size = { width: 1920, height: 1080 }
  const held = { ...size, pixelFormat: 'yuv422p10le', bytes: 4 * 1920 * 1080, references: 16 }
  expect(() => checkHeldPictures(held, size)).not.toThrow()
})
