import { expect, test } from 'vitest'
import { byteScalar, byteTensor } from './number-format.ts'

const signed = Uint8Array.from([-128, -1, 0, 127])

test('leaves signed bytes as they are', () => {
  expect(byteTensor('int8', [4], signed)).toEqual({ element: 'int8', shape: [4], data: signed })
})

test('adds 128 to say the same in unsigned bytes', () => {
  expect([...byteTensor('uint8', [4], signed).data]).toEqual([0, 127, 128, 255])
})

test('does not change the bytes it was given', () => {
  byteTensor('uint8', [4], signed)
  expect([...signed]).toEqual([128, 255, 0, 127])
})

test.each([
  { format: 'int8', value: -128, byte: 0x80 },
  { format: 'int8', value: 5, byte: 5 },
  { format: 'uint8', value: -128, byte: 0 },
  { format: 'uint8', value: 127, byte: 255 },
] as const)('stores the zero point $value as $format', ({ format, value, byte }) => {
  expect(byteScalar(format, value)).toEqual({ element: format, shape: [], data: Uint8Array.of(byte) })
})
