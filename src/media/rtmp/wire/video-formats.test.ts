import fc from 'fast-check'
import { expect, test } from 'vitest'
import { H264, H265 } from '../../../../test/builders/flv-tags.ts'
import { VIDEO_FORMATS } from './video-formats.ts'

const { h264, h265 } = VIDEO_FORMATS

test.each([
  { format: h264, sets: [H264.sps, H264.pps] },
  { format: h264, sets: [Buffer.from('67640028acd94078044fde0220000003002000000783e2c5b2c0', 'hex'), H264.pps] },
  { format: h265, sets: [H265.vps, H265.sps, H265.pps] },
])('configuration records of $format.codec that we build are read again', ({ format, sets }) => {
  const record = format.buildConfiguration(sets)!
  expect(format.parseConfiguration(record)).toEqual({ parameterSets: sets, lengthSize: 4 })
})

test('configuration records of random bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      for (const format of [h264, h265]) {
        for (const head of [Buffer.alloc(0), Buffer.of(1)]) {
          const parsed = format.parseConfiguration(Buffer.concat([head, Buffer.from(bytes)]))
          if (parsed) format.buildConfiguration(parsed.parameterSets)
        }
      }
    }),
  )
})
