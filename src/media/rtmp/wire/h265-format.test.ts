import { describe, expect, test } from 'vitest'
import { H265, hvcC, idr265, predicted265, withStartCodes } from '../../../../test/builders/flv-tags.ts'
import { MAX_NAL_UNITS, TooManyPartsError } from '../../rtp/part-limit.ts'
import { h265Format } from './h265-format.ts'

const parameterSets = [H265.vps, H265.sps, H265.pps]

/** Up to the units of its first array, which announces as many as the field can hold. */
function hvcHead(arrays: number): Buffer {
  const head = hvcC().subarray(0, 23)
  head[22] = arrays
  return Buffer.concat([head, Buffer.of(0x80 | 33, 0xff, 0xff)])
}

describe('configuration records', () => {
  test.each([
    { name: 'hvcC', data: hvcC(1), lengthSize: 1 },
    { name: 'bare sets', data: withStartCodes(parameterSets), lengthSize: 4 },
  ])('$name is read', ({ data, lengthSize }) => {
    expect(h265Format.parseConfiguration(data)).toEqual({ parameterSets, lengthSize })
  })

  test('without usable sets are none', () => {
    expect(h265Format.parseConfiguration(hvcC().subarray(0, 60))).toBeUndefined()
    expect(h265Format.buildConfiguration([H265.vps, Buffer.of(0x42, 1), H265.pps])).toBeUndefined()
  })

  test.each([
    { name: 'start codes in place of an hvcC', part: Buffer.of(0, 0, 1, 0x42), head: Buffer.alloc(0) },
    { name: 'an hvcC of tiny units', part: Buffer.of(0, 1, 0x42), head: hvcHead(1) },
    { name: 'an hvcC of empty units', part: Buffer.of(0, 0), head: hvcHead(1) },
  ])('$name: more units than anybody needs are not read', ({ part, head }) => {
    const data = Buffer.concat([head, Buffer.alloc(part.length * (MAX_NAL_UNITS + 1), part)])
    expect(() => h265Format.parseConfiguration(data)).toThrow(TooManyPartsError)
  })
})

test.each([
  { name: 'an IRAP is a keyframe', units: [idr265(1)], isFlagged: false, isKeyframe: true },
  { name: 'a picture that claims to be one is none', units: [predicted265(1)], isFlagged: true, isKeyframe: false },
])('$name', ({ units, isFlagged, isKeyframe }) => {
  expect(h265Format.isKeyframe(units, isFlagged)).toBe(isKeyframe)
})
