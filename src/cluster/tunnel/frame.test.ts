import { expect, test } from 'vitest'
import { decodeFrame, encodeFrame, type Frame, MAX_DATA_BYTES, MAX_MESSAGE_BYTES, SEAL_BYTES } from './frame.ts'

const frames: Frame[] = [
  { type: 'data', bytes: Buffer.from('x') },
  { type: 'data', bytes: Buffer.alloc(MAX_DATA_BYTES, 7) },
  { type: 'credit', bytes: 0 },
  { type: 'credit', bytes: 2 ** 32 - 1 },
  { type: 'end' },
  { type: 'reset' },
  { type: 'alive' },
]

test.each(frames)('$type comes out as it went in', (frame) => {
  const decoded = decodeFrame(encodeFrame(frame))!
  expect(decoded.type).toBe(frame.type)
  // Buffers are compared as such: looking at 64 kB value by value takes seconds.
  if (frame.type === 'data') expect(frame.bytes.equals((decoded as typeof frame).bytes)).toBe(true)
  else expect(decoded).toEqual(frame)
})

test('the largest is a message of 64 kB', () => {
  const encoded = encodeFrame({ type: 'data', bytes: Buffer.alloc(MAX_DATA_BYTES) })
  expect(encoded.length + SEAL_BYTES).toBe(MAX_MESSAGE_BYTES)
})

test.each(frames.filter(({ type }) => type !== 'data'))('$type cut off at any place is none', (frame) => {
  const encoded = encodeFrame(frame)
  for (let end = 0; end < encoded.length; end++) expect(decodeFrame(encoded.subarray(0, end))).toBeUndefined()
  expect(decodeFrame(Buffer.concat([encoded, Buffer.of(0)]))).toBeUndefined()
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a type that there is not', Buffer.of(5)],
  ['data without data', Buffer.of(0)],
  ['more data than fits', Buffer.alloc(MAX_DATA_BYTES + 2)],
])('%s is none', (_what, encoded) => expect(decodeFrame(encoded)).toBeUndefined())
