import { expect, test } from 'vitest'
import { type ChunkHeader, readChunkHeader } from './chunk-header.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const LAST: ChunkHeader = {
  chunkStreamId: 4,
  format: 0,
  timestampField: 100,
  isExtended: false,
  messageLength: 7,
  typeId: 8,
  streamId: 1,
  endsAt: 12,
}
const EXTENDED: ChunkHeader = { ...LAST, timestampField: 0x1000000, isExtended: true }

test.each([
  {
    name: 'format 0 carries all fields',
    input: '04 00000a 000002 09 02000000',
    last: undefined,
    header: { chunkStreamId: 4, format: 0, timestampField: 10, messageLength: 2, typeId: 9, streamId: 2, endsAt: 12 },
  },
  {
    name: 'format 1 takes the stream from the last header',
    input: '44 00000a 000002 09',
    last: LAST,
    header: { format: 1, timestampField: 10, messageLength: 2, typeId: 9, streamId: 1, endsAt: 8 },
  },
  {
    name: 'format 1 needs no last header',
    input: '44 00000a 000002 09',
    last: undefined,
    header: { messageLength: 2, typeId: 9, streamId: 0 },
  },
  {
    name: 'format 2 takes length and type, too',
    input: '84 00000a',
    last: LAST,
    header: { format: 2, timestampField: 10, messageLength: 7, typeId: 8, streamId: 1, endsAt: 4 },
  },
  {
    name: 'format 3 takes everything',
    input: 'c4',
    last: LAST,
    header: { format: 3, timestampField: 100, messageLength: 7, typeId: 8, streamId: 1, endsAt: 1 },
  },
  { name: 'an id of two bytes', input: 'c0 10', last: LAST, header: { chunkStreamId: 80, endsAt: 2 } },
  { name: 'an id of three bytes', input: 'c1 1001', last: LAST, header: { chunkStreamId: 336, endsAt: 3 } },
  {
    name: 'an extended timestamp stands behind the fields',
    input: '84 ffffff 01000000',
    last: LAST,
    header: { timestampField: 0x1000000, isExtended: true, endsAt: 8 },
  },
  {
    name: 'an extended timestamp that is repeated',
    input: 'c4 01000000',
    last: EXTENDED,
    header: { timestampField: 0x1000000, isExtended: true, endsAt: 5 },
  },
  {
    name: 'an extended timestamp that is not repeated, though it must be',
    input: 'c4 aabbccdd',
    last: EXTENDED,
    header: { timestampField: 0x1000000, isExtended: true, endsAt: 1 },
  },
])('$name', ({ input, last, header }) => {
  expect(readChunkHeader(hex(input), 0, () => last)).toMatchObject(header)
})

test.each(['04 00000a 000002 09 02000000', '40 aa 00000a 000002 09', '84 ffffff 01000000', 'c1 1001'])(
  'nothing is read of %s before all of it has arrived',
  (whole) => {
    const input = hex(whole)
    for (let length = 1; length < input.length; length++) {
      expect(readChunkHeader(input.subarray(0, length), 0, () => LAST)).toBeUndefined()
    }
    expect(readChunkHeader(input, 0, () => LAST)?.endsAt).toBe(input.length)
  },
)

test.each(['84 00000a', 'c4'])('%s needs a header before it on its chunk stream', (input) => {
  expect(() => readChunkHeader(hex(input), 0, () => undefined)).toThrow('never was')
})
