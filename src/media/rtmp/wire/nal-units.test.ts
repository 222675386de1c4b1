import fc from 'fast-check'
import { expect, test } from 'vitest'
import { H264, idr, predicted, withLengths, withStartCodes } from '../../../../test/builders/flv-tags.ts'
import { MAX_NAL_UNITS, TooManyPartsError } from '../../rtp/part-limit.ts'
import { joinNalUnits, splitNalUnits } from './nal-units.ts'

const UNITS = [H264.delimiter, H264.sei, idr(1)]

test.each([1, 2, 3, 4])('units with lengths of %i bytes', (lengthSize) => {
  expect(splitNalUnits(withLengths(UNITS, lengthSize), lengthSize)).toEqual(UNITS)
})

test('empty units are left out', () => {
  expect(splitNalUnits(withLengths([Buffer.alloc(0), ...UNITS, Buffer.alloc(0)]), 4)).toEqual(UNITS)
})

test('start codes in place of lengths are found out', () => {
  expect(splitNalUnits(withStartCodes(UNITS), 4)).toEqual(UNITS)
  expect(splitNalUnits(Buffer.concat([Buffer.of(0, 0, 1), idr(1), Buffer.of(0, 0, 1), predicted(2)]), 4)).toEqual([
    idr(1),
    predicted(2),
  ])
})

test('start codes behind a length are taken off', () => {
  expect(splitNalUnits(withLengths([withStartCodes([H264.sei, idr(1)])]), 4)).toEqual([H264.sei, idr(1)])
})

test.each([1, 256, 300, 511])('a length of %i that looks like a start code is a length', (length) => {
  const unit = Buffer.alloc(length, 0x41)
  expect(splitNalUnits(withLengths([unit, idr(1)]), 4)).toEqual([unit, idr(1)])
})

test('what comes whole before a cut is kept', () => {
  const data = withLengths([idr(1), predicted(2)])
  expect(splitNalUnits(data.subarray(0, -1), 4)).toEqual([idr(1)])
})

test('what was joined is split again', () => {
  const units = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 5 })
  fc.assert(
    fc.property(units, (arrays) => {
      const input = arrays.map((bytes) => Buffer.from([0x41, ...bytes]))
      expect(splitNalUnits(joinNalUnits(Buffer.alloc(0), input), 4)).toEqual(input)
    }),
  )
})

test('random bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 1, max: 4 }), (bytes, lengthSize) => {
      splitNalUnits(Buffer.from(bytes), lengthSize)
    }),
  )
})

test.each([
  { what: 'slices of one byte', part: Buffer.of(1, 0x41) },
  { what: 'units of no bytes', part: Buffer.of(0) },
])('$what: no more than anybody needs', ({ part }) => {
  const whole = Buffer.alloc(part.length * MAX_NAL_UNITS, part)
  expect(splitNalUnits(whole, 1)).toHaveLength(part.length > 1 ? MAX_NAL_UNITS : 0)
  expect(() => splitNalUnits(Buffer.concat([whole, part]), 1)).toThrow(TooManyPartsError)
})

test.each([
  { what: 'start codes', data: (units: Buffer) => units },
  { what: 'start codes behind lengths', data: (units: Buffer) => withLengths([units]) },
  {
    what: 'start codes behind several lengths',
    data: (units: Buffer) => withLengths([units.subarray(0, units.length / 2), units.subarray(units.length / 2)]),
  },
])('$what: no more than anybody needs', ({ data }) => {
  const part = Buffer.of(0, 0, 1, 0x41)
  expect(splitNalUnits(data(Buffer.alloc(4 * MAX_NAL_UNITS, part)), 4)).toHaveLength(MAX_NAL_UNITS)
  expect(() => splitNalUnits(data(Buffer.alloc(4 * (MAX_NAL_UNITS + 2), part)), 4)).toThrow(TooManyPartsError)
  // Without anything between them they are no units, but work.
  expect(() => splitNalUnits(data(Buffer.alloc(3 * (MAX_NAL_UNITS + 2), Buffer.of(0, 0, 1))), 4)).toThrow(
    TooManyPartsError,
  )
})
