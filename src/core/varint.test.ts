import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVarintReader, createVarintWriter } from './varint.ts'

test.each([
  { value: 0, bytes: [0] },
  { value: 127, bytes: [0x7f] },
  { value: 128, bytes: [0x80, 1] },
  { value: 300, bytes: [0xac, 2] },
  { value: Number.MAX_SAFE_INTEGER, bytes: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f] },
])('$value is $bytes', ({ value, bytes }) => {
  const out = createVarintWriter()
  out.unsigned(value)
  expect([...out.toBuffer()]).toEqual(bytes)
  expect(createVarintReader(out.toBuffer()).unsigned()).toBe(value)
})

test('small numbers on both sides of zero take a byte', () => {
  const out = createVarintWriter()
  for (const value of [0, -1, 1, -64, 63]) out.signed(value)
  expect([...out.toBuffer()]).toEqual([0, 1, 2, 127, 126])
})

test('what was written is read again, in order, however much it is', () => {
  const values = fc.array(
    fc.oneof(
      fc.record({ unsigned: fc.maxSafeNat() }),
      fc.record({ signed: fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 }) }),
      fc.record({ signed: fc.integer({ min: -200, max: 200 }) }),
      fc.record({ text: fc.string({ unit: 'binary', maxLength: 300 }) }),
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(values, (written) => {
      const out = createVarintWriter()
      for (const one of written) {
        if ('unsigned' in one) out.unsigned(one.unsigned)
        else if ('signed' in one) out.signed(one.signed)
        else out.text(one.text)
      }
      const input = createVarintReader(out.toBuffer())
      const read = written.map((one) => {
        if ('unsigned' in one) return { unsigned: input.unsigned() }
        return 'signed' in one ? { signed: input.signed() } : { text: input.text() }
      })
      expect(read).toEqual(written)
      expect(input.isAtEnd).toBe(true)
    }),
  )
})

test('a long text makes room', () => {
  const text = 'ñ'.repeat(10_000)
  const out = createVarintWriter()
  out.text(text)
  expect(createVarintReader(out.toBuffer()).text()).toBe(text)
})

test.each([-1, 0.5, NaN, Infinity, 2 ** 53])('%d is not written', (value) => {
  expect(() => createVarintWriter().unsigned(value)).toThrow(RangeError)
})

test.each([
  { what: 'nothing', bytes: [] },
  { what: 'a number that is cut off', bytes: [0x80] },
  { what: 'a number that never ends', bytes: new Array<number>(20).fill(0x80) },
  { what: 'a number that is too large', bytes: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x10] },
])('$what is refused', ({ bytes }) => {
  expect(() => createVarintReader(Buffer.from(bytes)).unsigned()).toThrow(RangeError)
})

test('a text that would go on behind the end is refused', () => {
  expect(() => createVarintReader(Buffer.of(4, 0x61, 0x62, 0x63)).text()).toThrow('cut off')
})
