import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseH265Sps } from './h265-sps.ts'

test.each([
  {
    name: 'main 720p with B-frames',
    sps: '42010101600000030090000003000003005da00280802d165959a4932bc05a020000030002000003003c10',
    expected: {
      width: 1280,
      height: 720,
      bitDepthLuma: 8,
      chromaFormatIdc: 1,
      temporalLayers: 1,
      maxReorderedFrames: 2,
    },
    profileTierLevel: '01600000009000000000005d',
  },
  {
    name: 'main 10 1080p without B-frames',
    sps: '420101022000000300900000030000030078a003c08010e4d964a924caf0168080000003008000000f04',
    expected: { width: 1920, height: 1080, bitDepthLuma: 10, bitDepthChroma: 10, maxReorderedFrames: 0 },
    profileTierLevel: '022000000090000000000078',
  },
])('reads $name', ({ sps, expected, profileTierLevel }) => {
  const parsed = parseH265Sps(Buffer.from(sps, 'hex'))!
  expect(parsed).toMatchObject(expected)
  expect(parsed.profileTierLevel.toString('hex')).toBe(profileTierLevel)
})

test('anything else is undefined or sane, and never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const sps = parseH265Sps(Buffer.from(bytes))
      if (sps) expect(sps.height).toBeGreaterThan(0)
    }),
  )
})
