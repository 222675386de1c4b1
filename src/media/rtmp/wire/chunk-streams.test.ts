import { expect, test } from 'vitest'
import { type ChunkHeader } from './chunk-header.ts'
import { createChunkStreams } from './chunk-streams.ts'

const LIMITS = { maxMessageBytes: 100, maxPendingBytes: 150, maxChunkStreams: 2 }

const header = (given: Partial<ChunkHeader> = {}): ChunkHeader => ({
  chunkStreamId: 4,
  format: 0,
  timestampField: 0,
  isExtended: false,
  messageLength: 2,
  typeId: 8,
  streamId: 1,
  endsAt: 0,
  ...given,
})

test('a message has the fields of its header, and all bytes of its chunks', () => {
  const streams = createChunkStreams(LIMITS)
  const stream = streams.beginChunk(header({ timestampField: 40 }))
  expect(streams.append(stream, Buffer.of(1))).toBeUndefined()
  expect(streams.missingBytes(stream)).toBe(1)
  streams.beginChunk(header({ format: 3, timestampField: 40 }))
  const message = streams.append(stream, Buffer.of(2))
  expect(message).toEqual({ typeId: 8, streamId: 1, timestamp: 40, payload: Buffer.of(1, 2) })
})

test('a time counts once for each message, not for each chunk', () => {
  const streams = createChunkStreams(LIMITS)
  const timestamps = [0, 1, 3, 2].map((format) => {
    const stream = streams.beginChunk(header({ format, timestampField: 10, messageLength: 2 }))
    streams.append(stream, Buffer.of(1))
    streams.beginChunk(header({ format: 3, timestampField: 10, messageLength: 2 }))
    return streams.append(stream, Buffer.of(2))?.timestamp
  })
  expect(timestamps).toEqual([10, 20, 30, 40])
})

test.each([
  { name: 'a new header', drop: () => {} },
  { name: 'an abort', drop: (streams: ReturnType<typeof createChunkStreams>) => streams.abort(4) },
])('$name drops what was unfinished, and frees its room', ({ drop }) => {
  const streams = createChunkStreams(LIMITS)
  for (let round = 0; round < 3; round++) {
    const stream = streams.beginChunk(header({ messageLength: 100 }))
    expect(streams.missingBytes(stream)).toBe(100)
    streams.append(stream, Buffer.alloc(99))
    drop(streams)
  }
})

test.each([
  { name: 'of a message', headers: [header({ messageLength: 101 })], error: '101 bytes is more than 100' },
  {
    name: 'of unfinished messages',
    headers: [header({ messageLength: 100 }), header({ chunkStreamId: 5, messageLength: 51 })],
    error: 'begun and not ended',
  },
  {
    name: 'of chunk streams',
    headers: [4, 5, 6].map((chunkStreamId) => header({ chunkStreamId })),
    error: 'too many chunk streams',
  },
])('the limit $name', ({ headers, error }) => {
  const streams = createChunkStreams(LIMITS)
  for (const allowed of headers.slice(0, -1)) streams.beginChunk(allowed)
  expect(() => streams.beginChunk(headers.at(-1)!)).toThrow(error)
  const larger = createChunkStreams(LIMITS)
  larger.setLimits({ maxMessageBytes: 200, maxPendingBytes: 1000, maxChunkStreams: 9 })
  for (const one of headers) larger.beginChunk(one)
})
