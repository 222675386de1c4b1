import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseH264Sps } from './h264-sps.ts'

test.each([
  {
    name: 'high 4:4:4 with three B-frames',
    sps: '67f4001f919b280a00b76022000003000200000300781e30632c',
    expected: { profileIdc: 244, levelIdc: 31, width: 1280, height: 720, chromaFormatIdc: 3, maxReorderedFrames: 2 },
  },
  {
    name: 'high 4:4:4 without B-frames',
    sps: '67f4001f9196c05005bb0110000003001000000303c0f1832e',
    expected: { width: 1280, height: 720, maxReorderedFrames: 0 },
  },
  {
    name: 'baseline',
    sps: '6742c01ed900a02ff970110000030001000003003c0f162e48',
    expected: { profileIdc: 66, constraints: 0xc0, levelIdc: 30, width: 640, height: 360, maxReorderedFrames: 0 },
  },
  {
    name: 'main 1080p, whose last macroblock row is cropped',
    sps: '674d4028eca03c0113f2e022000003000200000300781e30632c',
    expected: { profileIdc: 77, width: 1920, height: 1080, bitDepthLuma: 8, maxReorderedFrames: 2 },
  },
  {
    name: 'interlaced 1080',
    sps: '67640028acd94078044fde0220000003002000000783e2c5b2c0',
    expected: { width: 1920, height: 1080, maxReorderedFrames: 2 },
  },
])('reads $name', ({ sps, expected }) => {
  expect(parseH264Sps(Buffer.from(sps, 'hex'))).toMatchObject(expected)
})

test('knows no reordering when the VUI is cut off, but the size', () => {
  const whole = Buffer.from('674d4028eca03c0113f2e022000003000200000300781e30632c', 'hex')
  expect(parseH264Sps(whole.subarray(0, 14))).toMatchObject({ width: 1920, maxReorderedFrames: undefined })
})

test('anything else is undefined or sane, and never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const sps = parseH264Sps(Buffer.from(bytes))
      if (sps) expect(sps.width).toBeGreaterThan(0)
    }),
  )
})
