import { expect, test } from 'vitest'
import { createProtobufWriter, type ProtobufWriter } from './protobuf-writer.ts'

const hex = (writer: ProtobufWriter) => Buffer.from(writer.finish()).toString('hex')

test.each([
  { name: 'a small integer', writer: createProtobufWriter().integer(1, 1), bytes: '0801' },
  { name: 'an integer of two groups', writer: createProtobufWriter().integer(1, 150), bytes: '089601' },
  {
    name: 'an integer beyond 32 bits',
    writer: createProtobufWriter().integer(1, 2 ** 40),
    bytes: '08808080808020',
  },
  { name: 'a negative integer', writer: createProtobufWriter().integer(1, -1), bytes: '08ffffffffffffffffff01' },
  { name: 'a field number above 15', writer: createProtobufWriter().integer(20, 7), bytes: 'a00107' },
  { name: 'a float', writer: createProtobufWriter().float(2, 1.5), bytes: '150000c03f' },
  { name: 'a string', writer: createProtobufWriter().string(2, 'testing'), bytes: '120774657374696e67' },
  { name: 'no bytes', writer: createProtobufWriter().bytes(3, new Uint8Array(0)), bytes: '1a00' },
  {
    name: 'a message in a message',
    writer: createProtobufWriter().message(3, createProtobufWriter().integer(1, 150)),
    bytes: '1a03089601',
  },
  {
    name: 'packed integers',
    writer: createProtobufWriter().packedIntegers(4, [3, 270, 86942]),
    bytes: '2206038e029ea705',
  },
])('writes $name', ({ writer, bytes }) => {
  expect(hex(writer)).toBe(bytes)
  expect(writer.length).toBe(bytes.length / 2)
})

test('writes fields in the order in which they are given', () => {
  expect(hex(createProtobufWriter().integer(2, 5).integer(1, 6))).toBe('10050806')
})

test('refuses a number that is not an integer', () => {
  expect(() => createProtobufWriter().integer(1, 0.5)).toThrow(/0.5 is not an integer/)
})
