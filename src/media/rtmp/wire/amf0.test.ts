import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAmf0 } from './amf0-reader.ts'
import { writeAmf0 } from './amf0-writer.ts'
import { isAmfObject, type AmfValue } from './amf0.ts'

const name = fc.string({ maxLength: 12, unit: 'grapheme' }).filter((text) => text !== '')
const { value } = fc.letrec<{ value: AmfValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, false),
    fc.double(),
    fc.string({ unit: 'grapheme' }),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: false }),
  ),
}))

test('what was written is read back', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (values) => {
      expect(readAmf0(writeAmf0(...values))).toEqual(values)
    }),
  )
})

test('every beginning of a message gives the values that are complete in it', () => {
  const values = ['connect', 1, { app: 'admin', nested: { a: [1, 'x'] } }, 'tail']
  const whole = writeAmf0(...values)
  for (let length = 0; length < whole.length; length++) {
    expect(readAmf0(whole.subarray(0, length)).length).toBeLessThanOrEqual(values.length)
  }
})

test('random bytes never throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readAmf0(Buffer.from(bytes))))
})

describe('forms that only other encoders write', () => {
  test.each([
    { form: 'an ECMA array with a wrong length', hex: '08 000000ff 0001 61 05 000009', expected: [{ a: null }] },
    { form: 'an object without an end', hex: '03 0001 61 0101', expected: [{ a: true }] },
    { form: 'a typed object', hex: '10 0001 43 0001 61 0100 000009', expected: [{ a: false }] },
    { form: 'an XML document', hex: '0f 00000001 78', expected: ['x'] },
    { form: 'a reference', hex: '07 0001 05', expected: [undefined, null] },
    { form: 'something behind which AMF3 follows', hex: '05 11 01', expected: [null] },
  ])('$form', ({ hex, expected }) => expect(readAmf0(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual(expected))
})

test('a string of more than 64 kB is written as a long one', () => {
  const long = 'x'.repeat(70_000)
  expect(readAmf0(writeAmf0(long))).toEqual([long])
})

test('nesting without end is not followed', () => {
  expect(readAmf0(Buffer.alloc(100_000, Buffer.from('03000161', 'hex')))).toEqual([])
  expect(readAmf0(Buffer.alloc(100_000, Buffer.from('0a00000001', 'hex')))).toEqual([])
})

test('an array that claims billions of items costs nothing', () => {
  expect(readAmf0(Buffer.from('0affffffff05', 'hex'))).toEqual([])
})

test('a name from the client reaches no prototype', () => {
  const [object] = readAmf0(writeAmf0(JSON.parse('{"__proto__": {"polluted": true}}') as AmfValue))
  expect(isAmfObject(object)).toBe(true)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expect(Object.getPrototypeOf(object)).toBeNull()
})
