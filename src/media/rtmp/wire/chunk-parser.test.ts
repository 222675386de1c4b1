import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pushAll } from '../../../../test/support/chunk-messages.ts'
import { CHUNK_LIMITS_BEFORE_ACCEPTANCE } from './chunk-limits.ts'
import { type ChunkParser, createChunkParser } from './chunk-parser.ts'
import { type RtmpMessage } from './message.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const bytes = (length: number, fill = 0xaa) => Buffer.alloc(length, fill)
const times = (messages: readonly RtmpMessage[]) => messages.map(({ timestamp }) => timestamp)

describe('headers', () => {
  test('format 0 says everything', () => {
    expect(pushAll(createChunkParser(), hex('04 000064 000003 08 01000000 010203'))).toEqual([
      { typeId: 8, streamId: 1, timestamp: 100, payload: hex('010203') },
    ])
  })

  test('formats 1, 2 and 3 leave out what was said before, and carry differences of time', () => {
    const input = hex('04 000064 000001 08 01000000 aa  44 00000a 000002 09 bbbb  84 000005 cccc  c4 dddd')
    expect(pushAll(createChunkParser(), input)).toMatchObject([
      { timestamp: 100, typeId: 8, payload: hex('aa') },
      { timestamp: 110, typeId: 9, payload: hex('bbbb'), streamId: 1 },
      { timestamp: 115, payload: hex('cccc') },
      { timestamp: 120, payload: hex('dddd') },
    ])
  })

  test('format 3 after format 0 takes its time as the difference', () => {
    expect(times(pushAll(createChunkParser(), hex('04 000017 000001 08 01000000 aa  c4 bb')))).toEqual([23, 46])
  })

  test.each([
    { form: 'one byte', header: '3f' },
    { form: 'two bytes', header: '00 10' },
    { form: 'three bytes', header: '01 1001' },
  ])('a chunk stream id of $form', ({ header }) => {
    expect(pushAll(createChunkParser(), hex(`${header} 000001 000001 08 01000000 aa`))).toHaveLength(1)
  })

  test('two chunk streams interleave', () => {
    const input = Buffer.concat([
      hex('04 000001 000082 08 01000000'),
      bytes(128, 1),
      hex('06 000002 000001 09 01000000 ff'),
      hex('c4'),
      bytes(2, 2),
    ])
    const messages = pushAll(createChunkParser(), input)
    expect(messages.map(({ typeId, payload }) => [typeId, payload.length])).toEqual([
      [9, 1],
      [8, 130],
    ])
    expect(messages[1]!.payload.subarray(126)).toEqual(hex('01010202'))
  })

  test('times wrap around after 49 days', () => {
    const input = hex('04 ffffff 000001 08 01000000 fffffff0 aa  84 000020 bb')
    expect(times(pushAll(createChunkParser(), input))).toEqual([0xfffffff0, 0x10])
  })
})

describe('extended timestamps', () => {
  const long = hex('04 ffffff 000082 08 01000000 01000000')

  test('are repeated on chunks without header', () => {
    const messages = pushAll(createChunkParser(), Buffer.concat([long, bytes(128), hex('c4 01000000'), bytes(2)]))
    expect(messages).toMatchObject([{ timestamp: 0x1000000, payload: bytes(130) }])
  })

  test('are not missed where an encoder leaves the repetition out', () => {
    const messages = pushAll(createChunkParser(), Buffer.concat([long, bytes(128), hex('c4'), bytes(2), bytes(2)]))
    expect(messages).toMatchObject([{ timestamp: 0x1000000, payload: bytes(130) }])
  })

  test('may be differences', () => {
    const input = hex('04 000001 000001 08 01000000 aa  44 ffffff 000001 08 01000000 bb')
    expect(times(pushAll(createChunkParser(), input))).toEqual([1, 0x1000001])
  })
})

describe('protocol control', () => {
  test('a new chunk size counts from the next chunk on', () => {
    const input = Buffer.concat([
      hex('02 000000 000004 01 00000000 00001000  04 000000 000400 08 01000000'),
      bytes(1024),
    ])
    expect(pushAll(createChunkParser(), input)).toMatchObject([{ payload: bytes(1024) }])
  })

  test('a message under way is given up on abort, and by a new header', () => {
    const start = Buffer.concat([hex('04 000000 000082 08 01000000'), bytes(128)])
    const abort = hex('02 000000 000004 02 00000000 00000004')
    const next = hex('04 000000 000001 08 01000000 ff')
    for (const input of [
      [start, abort, next],
      [start, next],
    ]) {
      expect(pushAll(createChunkParser(), Buffer.concat(input))).toMatchObject([{ payload: hex('ff') }])
    }
  })

  test.each(['00000000', '80000000'])('a chunk size of 0x%s ends the connection', (size) => {
    expect(() => pushAll(createChunkParser(), hex(`02 000000 000004 01 00000000 ${size}`))).toThrow(
      "A chunk can't have",
    )
  })
})

describe('limits', () => {
  const limits = { maxMessageBytes: 1000, maxPendingBytes: 2000, maxChunkStreams: 3 }

  test('of a message', () => {
    expect(() => pushAll(createChunkParser(limits), hex('04 000000 0003e9 08 01000000'))).toThrow('1001 bytes')
  })

  test('of chunk streams', () => {
    const open = (id: number) => Buffer.concat([Buffer.of(id), hex('000000 000001 08 01000000 aa')])
    expect(() => pushAll(createChunkParser(limits), Buffer.concat([4, 5, 6, 7].map(open)))).toThrow(
      'too many chunk streams',
    )
  })

  test('of all unfinished messages together', () => {
    const begin = (id: number) => Buffer.concat([Buffer.of(id), hex('000000 0003e8 08 01000000'), bytes(128)])
    expect(() => pushAll(createChunkParser(limits), Buffer.concat([4, 5, 6].map(begin)))).toThrow('begun and not ended')
  })

  test('are larger once they are set anew', () => {
    const begin = Buffer.concat([hex('04 000000 0003e8 08 01000000'), bytes(128)])
    const more = Buffer.concat([2, 3, 4, 5, 6, 7].map((fill) => Buffer.concat([hex('c4'), bytes(128, fill)])))
    const parser = createChunkParser({ ...limits, maxPendingBytes: 1000 })
    pushAll(parser, begin)
    expect(() => pushAll(parser, Buffer.concat([Buffer.of(5), begin.subarray(1)]))).toThrow('begun and not ended')
    const other = createChunkParser({ ...limits, maxPendingBytes: 1000 })
    pushAll(other, begin)
    other.setLimits(limits)
    pushAll(other, Buffer.concat([Buffer.of(5), begin.subarray(1)]))
    expect(pushAll(other, Buffer.concat([more, hex('c4'), bytes(104, 8)]))).toHaveLength(1)
  })

  test('count from the next message on, also of the same bytes: none is made before it is asked for', () => {
    const parser = createChunkParser()
    parser.push(hex('04 000000 000002 08 01000000 aabb  c4 ccdd  c4 eeff'))
    expect(parser.next()).toMatchObject({ payload: hex('aabb') })
    expect(parser.next()).toMatchObject({ payload: hex('ccdd') })
    parser.setLimits({ ...limits, maxMessageBytes: 1 })
    expect(() => parser.next()).toThrow('2 bytes is more than 1')
  })

  test('what comes in one read with the command that is about to be accepted fits', () => {
    const parser = createChunkParser(CHUNK_LIMITS_BEFORE_ACCEPTANCE)
    const chunks = Array.from({ length: 500 }, () => Buffer.concat([hex('c4'), bytes(128)]))
    const keyframe = Buffer.concat([hex('04 000000 030000 09 01000000'), bytes(128), ...chunks])
    expect(pushAll(parser, keyframe)).toEqual([])
    expect(() => pushAll(parser, Buffer.concat(chunks))).toThrow('begun and not ended')
  })

  test('an announced length takes no memory before its bytes come', () => {
    const parser = createChunkParser()
    const before = process.memoryUsage().arrayBuffers
    for (let id = 4; id < 34; id++) pushAll(parser, Buffer.concat([Buffer.of(id), hex('000000 7fffff 08 01000000 aa')]))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024)
  })

  test('so many chunks are looked at in one call, and the rest in the next', () => {
    const parser = createChunkParser()
    const chunksOfOneByte = hex('02 000000 000004 01 00000000 00000001')
    const begun = hex('04 000000 000002 08 01000000 aa')
    parser.push(Buffer.concat([chunksOfOneByte, begun, begun, begun, begun, hex('c4 bb c4 cc')]))
    const looks = Array.from({ length: 4 }, () => [parser.next(3)?.payload.toString('hex'), parser.hasMore])
    expect(looks).toEqual([
      [undefined, true],
      ['aabb', false],
      [undefined, false],
      [undefined, false],
    ])
  })

  test('a chunk without a message before it ends the connection', () => {
    expect(() => pushAll(createChunkParser(), hex('c4'))).toThrow('never was')
  })
})

test('wherever the bytes are split, the messages are the same', () => {
  const input = Buffer.concat([
    hex('04 ffffff 000102 08 01000000 01000000'),
    bytes(128, 1),
    hex('c4 01000000'),
    bytes(128, 2),
    hex('06 000002 000000 09 01000000'),
    hex('c4 01000000'),
    bytes(2, 3),
    hex('02 000000 000004 01 00000000 00000020  46 000002 000021 09'),
    bytes(32, 4),
    hex('c6 05  00 aa 000001 000001 08 01000000 ff'),
  ])
  const whole = pushAll(createChunkParser(), input)
  expect(whole).toHaveLength(4)
  for (let at = 0; at <= input.length; at++) {
    const parser = createChunkParser()
    expect([...pushAll(parser, input.subarray(0, at)), ...pushAll(parser, input.subarray(at))]).toEqual(whole)
  }
  expect(byteByByte(createChunkParser(), input)).toEqual(whole)
})

test('random bytes give messages or end the connection', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 }), (chunks) => {
      const parser = createChunkParser()
      try {
        for (const chunk of chunks) pushAll(parser, Buffer.from(chunk))
      } catch (error) {
        expect((error as Error).name).toBe('RtmpProtocolError')
      }
    }),
  )
})

function byteByByte(parser: ChunkParser, input: Buffer): RtmpMessage[] {
  return [...input].flatMap((byte) => pushAll(parser, Buffer.of(byte)))
}
