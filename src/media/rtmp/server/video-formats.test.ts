import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  avcC,
  H264,
  H265,
  hvcC,
  idr,
  idr265,
  predicted,
  predicted265,
  withStartCodes,
} from '../../../../test/builders/flv-tags.ts'
import { MAX_NAL_UNITS, TooManyPartsError } from '../../rtp/part-limit.ts'
import { VIDEO_FORMATS } from './video-formats.ts'

const { h264, h265 } = VIDEO_FORMATS
const SETS_264 = [H264.sps, H264.pps]
const SETS_265 = [H265.vps, H265.sps, H265.pps]

/** Up to the units of its first array, which is said to have as many as can be said. */
function hvcHead(arrays: number): Buffer {
  const head = hvcC().subarray(0, 23)
  head[22] = arrays
  return Buffer.concat([head, Buffer.of(0x80 | 33, 0xff, 0xff)])
}

describe('configuration records', () => {
  test.each([
    { name: 'avcC', format: h264, data: avcC(), parameterSets: SETS_264, lengthSize: 4 },
    {
      name: 'avcC with short lengths',
      format: h264,
      data: avcC(H264.sps, H264.pps, 2),
      parameterSets: SETS_264,
      lengthSize: 2,
    },
    { name: 'bare H.264 sets', format: h264, data: withStartCodes(SETS_264), parameterSets: SETS_264, lengthSize: 4 },
    { name: 'hvcC', format: h265, data: hvcC(1), parameterSets: SETS_265, lengthSize: 1 },
    { name: 'bare H.265 sets', format: h265, data: withStartCodes(SETS_265), parameterSets: SETS_265, lengthSize: 4 },
  ])('$name is read', ({ format, data, parameterSets, lengthSize }) => {
    expect(format.parseConfiguration(data)).toEqual({ parameterSets, lengthSize })
  })

  test.each([
    { format: h264, sets: SETS_264 },
    { format: h264, sets: [Buffer.from('67640028acd94078044fde0220000003002000000783e2c5b2c0', 'hex'), H264.pps] },
    { format: h265, sets: SETS_265 },
  ])('of $format.codec that we build are read again', ({ format, sets }) => {
    const record = format.buildConfiguration(sets)!
    expect(format.parseConfiguration(record)).toEqual({ parameterSets: sets, lengthSize: 4 })
  })

  test('of a high profile ends with chroma format and bit depths', () => {
    const high = Buffer.from('67640028acd94078044fde0220000003002000000783e2c5b2c0', 'hex')
    expect(h264.buildConfiguration([high, H264.pps])!.subarray(-4)).toEqual(Buffer.of(0xfd, 0xf8, 0xf8, 0))
  })

  test('without usable sets are none', () => {
    expect(h264.parseConfiguration(avcC(H264.sps, Buffer.alloc(0)))).toBeUndefined()
    expect(h264.parseConfiguration(avcC().subarray(0, 20))).toBeUndefined()
    expect(h265.parseConfiguration(hvcC().subarray(0, 60))).toBeUndefined()
    expect(h264.buildConfiguration([H264.pps])).toBeUndefined()
    expect(h265.buildConfiguration([H265.vps, Buffer.of(0x42, 1), H265.pps])).toBeUndefined()
  })

  test.each([
    { name: 'start codes in place of an avcC', format: h264, part: Buffer.of(0, 0, 1, 0x67), head: Buffer.alloc(0) },
    { name: 'start codes in place of an hvcC', format: h265, part: Buffer.of(0, 0, 1, 0x42), head: Buffer.alloc(0) },
    { name: 'an hvcC of tiny units', format: h265, part: Buffer.of(0, 1, 0x42), head: hvcHead(1) },
    { name: 'an hvcC of empty units', format: h265, part: Buffer.of(0, 0), head: hvcHead(1) },
  ])('$name: more units than anybody needs are not read', ({ format, part, head }) => {
    const data = Buffer.concat([head, Buffer.alloc(part.length * (MAX_NAL_UNITS + 1), part)])
    expect(() => format.parseConfiguration(data)).toThrow(TooManyPartsError)
  })

  test('of random bytes never throw', () => {
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
})

describe('keyframes', () => {
  const intra = Buffer.of(0x41, 0x88, 1, 2)
  test.each([
    { name: 'an IDR', format: h264, units: [H264.sei, idr(1)], isFlagged: false, isKeyframe: true },
    { name: 'a P picture', format: h264, units: [predicted(1)], isFlagged: false, isKeyframe: false },
    {
      name: 'a P picture that claims to be one',
      format: h264,
      units: [predicted(1)],
      isFlagged: true,
      isKeyframe: false,
    },
    { name: 'an I picture that is flagged', format: h264, units: [intra], isFlagged: true, isKeyframe: true },
    { name: 'an I picture that is not', format: h264, units: [intra], isFlagged: false, isKeyframe: false },
    { name: 'an H.265 IRAP', format: h265, units: [idr265(1)], isFlagged: false, isKeyframe: true },
    {
      name: 'an H.265 picture that claims to be one',
      format: h265,
      units: [predicted265(1)],
      isFlagged: true,
      isKeyframe: false,
    },
  ])('$name: $isKeyframe', ({ format, units, isFlagged, isKeyframe }) => {
    expect(format.isKeyframe(units, isFlagged)).toBe(isKeyframe)
  })
})
