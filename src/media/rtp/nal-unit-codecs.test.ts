import { expect, test } from 'vitest'
import { readPictureInfo } from './nal-unit-codec.ts'
import { NAL_UNIT_CODECS, nalUnitCodecOf } from './nal-unit-codecs.ts'

const spsOfH264 = Buffer.from('6742c01ed900a02ff970110000030001000003003c0f162e48', 'hex')
const spsOfH265 = Buffer.from(
  '420101022000000300900000030000030078a003c08010e4d964a924caf0168080000003008000000f04',
  'hex',
)

test.each([
  { codec: 'h264', units: [Buffer.of(0x68, 0xee), spsOfH264], picture: { width: 640, height: 360 } },
  { codec: 'h265', units: [Buffer.of(0x40, 1), spsOfH265], picture: { width: 1920, height: 1080 } },
] as const)('the picture of $codec is read from its SPS, wherever that stands', ({ codec, units, picture }) => {
  expect(readPictureInfo(NAL_UNIT_CODECS[codec], units)).toMatchObject({ ...picture, maxReorderedFrames: 0 })
  expect(readPictureInfo(NAL_UNIT_CODECS[codec], units.slice(0, 1))).toBeUndefined()
})

test.each([
  ['h264', NAL_UNIT_CODECS.h264],
  ['h265', NAL_UNIT_CODECS.h265],
  ['opus', undefined],
  ['other', undefined],
] as const)('%s is looked up', (codec, found) => expect(nalUnitCodecOf(codec)).toBe(found))
