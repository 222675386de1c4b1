import { expect, test } from 'vitest'
import { createBitReader, unescapeNalUnit } from './bit-reader.ts'

test('reads bits, most significant first', () => {
  const reader = createBitReader(Buffer.of(0b1010_0000, 0xff))
  expect([reader.bits(3), reader.flag(), reader.bits(8)]).toEqual([0b101, false, 0x0f])
})

test.each([
  { bits: '1', ue: 0, se: 0 },
  { bits: '010', ue: 1, se: 1 },
  { bits: '011', ue: 2, se: -1 },
  { bits: '00100', ue: 3, se: 2 },
  { bits: '00111', ue: 6, se: -3 },
])('$bits is the Exp-Golomb code of $ue and $se', ({ bits, ue, se }) => {
  const data = Buffer.of(Number.parseInt(bits.padEnd(8, '0'), 2))
  expect(createBitReader(data).ue()).toBe(ue)
  expect(createBitReader(data).se() + 0).toBe(se + 0)
})

test('past the end there are zeros, and it says so', () => {
  const reader = createBitReader(Buffer.of(0xff))
  reader.skip(8)
  expect(reader.isPastEnd).toBe(false)
  expect(reader.bits(4)).toBe(0)
  expect(reader.isPastEnd).toBe(true)
})

test('an endless Exp-Golomb code comes to an end', () => {
  expect(createBitReader(Buffer.alloc(100)).ue()).toBeLessThanOrEqual(2 ** 33)
})

test.each([
  ['00000301', '000001'],
  ['0000030000', '00000000'],
  ['0000030000030000', '000000000000'],
  ['01000003', '010000'],
  ['000103', '000103'],
])('%s without emulation prevention is %s', (escaped, plain) => {
  expect(unescapeNalUnit(Buffer.from(escaped, 'hex')).toString('hex')).toBe(plain)
})
