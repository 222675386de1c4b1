import { describe, expect, test } from 'vitest'
import { avcC, H264, idr, predicted, withStartCodes } from '../../../../test/builders/flv-tags.ts'
import { MAX_NAL_UNITS, TooManyPartsError } from '../../rtp/part-limit.ts'
import { h264Format } from './h264-format.ts'

const parameterSets = [H264.sps, H264.pps]

describe('configuration records', () => {
  test.each([
    { name: 'avcC', data: avcC(), lengthSize: 4 },
    { name: 'avcC with short lengths', data: avcC(H264.sps, H264.pps, 2), lengthSize: 2 },
    { name: 'bare sets', data: withStartCodes(parameterSets), lengthSize: 4 },
  ])('$name is read', ({ data, lengthSize }) => {
    expect(h264Format.parseConfiguration(data)).toEqual({ parameterSets, lengthSize })
  })

  test('of a high profile ends with chroma format and bit depths', () => {
    const high = Buffer.from('67640028acd94078044fde0220000003002000000783e2c5b2c0', 'hex')
    expect(h264Format.buildConfiguration([high, H264.pps])!.subarray(-4)).toEqual(Buffer.of(0xfd, 0xf8, 0xf8, 0))
  })

  test('without usable sets are none', () => {
    expect(h264Format.parseConfiguration(avcC(H264.sps, Buffer.alloc(0)))).toBeUndefined()
    expect(h264Format.parseConfiguration(avcC().subarray(0, 20))).toBeUndefined()
    expect(h264Format.buildConfiguration([H264.pps])).toBeUndefined()
  })

  test('start codes in place of an avcC: more units than anybody needs are not read', () => {
    const data = Buffer.alloc(4 * (MAX_NAL_UNITS + 1), Buffer.of(0, 0, 1, 0x67))
    expect(() => h264Format.parseConfiguration(data)).toThrow(TooManyPartsError)
  })
})

describe('keyframes', () => {
  const intra = Buffer.of(0x41, 0x88, 1, 2)
  test.each([
    { name: 'an IDR', units: [H264.sei, idr(1)], isFlagged: false, isKeyframe: true },
    { name: 'a P picture', units: [predicted(1)], isFlagged: false, isKeyframe: false },
    { name: 'a P picture that claims to be one', units: [predicted(1)], isFlagged: true, isKeyframe: false },
    { name: 'an I picture that is flagged', units: [intra], isFlagged: true, isKeyframe: true },
    { name: 'an I picture that is not', units: [intra], isFlagged: false, isKeyframe: false },
  ])('$name: $isKeyframe', ({ units, isFlagged, isKeyframe }) => {
    expect(h264Format.isKeyframe(units, isFlagged)).toBe(isKeyframe)
  })
})
