import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAnswer, type InterleavedFrame, RtspFailure, type RtspMessage } from './message.ts'
import {
  createMessageParser,
  CLIENT_PARSER_LIMITS,
  DEFAULT_PARSER_LIMITS,
  type MessageParser,
} from './message-parser.ts'

const session = Buffer.concat([
  Buffer.from('OPTIONS rtsp://h/a/b RTSP/1.0\r\nCSeq: 1\r\n\r\n'),
  Buffer.from('ANNOUNCE rtsp://h/a/b RTSP/1.0\r\ncseq:2\r\nContent-Length: 5\r\n\r\nv=0\r\n'),
  Buffer.from([0x24, 3, 0, 4, 1, 2, 3, 4]),
  Buffer.from([0x24, 0, 0, 0]),
  Buffer.from('\r\nRTSP/1.0 200 OK\nCSeq: 3\nPublic: OPTIONS,\n  DESCRIBE\n\n'),
])

function takeAll(parser: MessageParser): RtspMessage[] {
  const messages: RtspMessage[] = []
  for (let message = parser.next(); message; message = parser.next()) messages.push(message)
  return messages
}

function parse(...chunks: Buffer[]): RtspMessage[] {
  const parser = createMessageParser()
  return chunks.flatMap((chunk) => {
    parser.push(chunk)
    return takeAll(parser)
  })
}

const expected = [
  { kind: 'request', method: 'OPTIONS', url: 'rtsp://h/a/b', headers: new Map([['cseq', '1']]), body: Buffer.alloc(0) },
  {
    kind: 'request',
    method: 'ANNOUNCE',
    url: 'rtsp://h/a/b',
    headers: new Map([
      ['cseq', '2'],
      ['content-length', '5'],
    ]),
    body: Buffer.from('v=0\r\n'),
  },
  { kind: 'frame', channel: 3, data: Buffer.from([1, 2, 3, 4]) },
  { kind: 'frame', channel: 0, data: Buffer.alloc(0) },
  {
    kind: 'response',
    status: 200,
    reason: 'OK',
    headers: new Map([
      ['cseq', '3'],
      ['public', 'OPTIONS, DESCRIBE'],
    ]),
    body: Buffer.alloc(0),
  },
]

test('a session in one piece', () => expect(parse(session)).toEqual(expected))

test('the same session cut in two at every byte', () => {
  for (let cut = 0; cut <= session.length; cut++) {
    expect(parse(session.subarray(0, cut), session.subarray(cut))).toEqual(expected)
  }
})

test('the same session byte by byte', () => {
  expect(parse(...[...session].map((byte) => Buffer.from([byte])))).toEqual(expected)
})

test('whoever is busy can let bytes come in and take the messages later', () => {
  const parser = createMessageParser()
  for (const byte of session) parser.push(Buffer.from([byte]))
  expect(takeAll(parser)).toEqual(expected)
  expect(parser.isMidMessage).toBe(false)
})

test('a header that comes twice has both values', () => {
  const [message] = parse(Buffer.from('OPTIONS * RTSP/1.0\r\nA: 1\r\na: 2\r\n\r\n'))
  expect(message).toMatchObject({ headers: new Map([['a', '1, 2']]) })
})

const head = 'OPTIONS * RTSP/1.0\r\n'

test.each([
  ['words', 400, 'not a request\r\n'],
  ['zeros', 400, '\0\0\0\0\r\n'],
  ['HTTP', 505, 'GET / HTTP/1.1\r\n'],
  ['RTSP 2.0', 505, 'OPTIONS * RTSP/2.0\r\n'],
  ['a URL without end', 414, `OPTIONS rtsp://h/${'x'.repeat(5000)}`],
  ['a header without end', 400, `${head}A: ${'x'.repeat(5000)}`],
  ['too many bytes of headers', 400, `${head}${`A: ${'x'.repeat(4000)}\r\n`.repeat(5)}`],
  ['too many headers', 400, `${head}${'A: 1\r\n'.repeat(65)}`],
  ['a header without name', 400, `${head}: 1\r\n`],
  ['a continuation of nothing', 400, `${head} goes on\r\n`],
  ['a negative length', 400, `${head}Content-Length: -1\r\n\r\n`],
  ['a body too long', 413, `${head}Content-Length: 65537\r\n\r\n`],
])('%s: %i', (_what, status, text) => {
  expect(() => parse(Buffer.from(text))).toThrow(expect.objectContaining({ name: 'RtspFailure', status }) as Error)
})

const hostile = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.nat(session.length).map((start) => session.subarray(start)),
  fc
    .constantFrom('$', '\r\n', 'Content-Length: 60000\r\n\r\n', 'OPTIONS * RTSP/1.0\r\n', ' x\r\n')
    .map((s) => Buffer.from(s)),
)

test('no bytes make it throw anything else, or keep more than its limits', () => {
  const maxHeldBytes = DEFAULT_PARSER_LIMITS.maxHeadBytes + DEFAULT_PARSER_LIMITS.maxLineBytes + 0x10000
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 40 }), (chunks) => {
      const parser = createMessageParser()
      try {
        for (const chunk of chunks) {
          parser.push(chunk)
          takeAll(parser)
          expect(parser.heldBytes).toBeLessThanOrEqual(maxHeldBytes)
        }
      } catch (error) {
        expect(error).toBeInstanceOf(RtspFailure)
      }
    }),
    { numRuns: 500 },
  )
})

test('an answer is read back as it was written', () => {
  const text = formatAnswer({ status: 200, headers: [['Session', 'abc;timeout=60']], body: 'v=0\r\n' }, '7')
  const [message] = parse(Buffer.from(text))
  expect(message).toMatchObject({ kind: 'response', status: 200, body: Buffer.from('v=0\r\n') })
  expect(message?.kind === 'response' && message.headers.get('cseq')).toBe('7')
})

test('a client passes over what is no message, wherever it is cut, up to a limit', () => {
  const garbage = 'a=trailing:1\r\n\0\x01x\r\n'
  const bytes = Buffer.from(
    `${garbage}RTSP/1.0 200 OK\r\nCSeq: 1\r\nno header\r\n\r\n\r\n${garbage}$\0\0\x01x`,
    'latin1',
  )
  for (let cut = 1; cut < bytes.length; cut++) {
    const parser = createMessageParser(CLIENT_PARSER_LIMITS)
    const messages = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((chunk) => {
      parser.push(chunk)
      return takeAll(parser)
    })
    expect(messages.map(({ kind }) => kind)).toEqual(['response', 'frame'])
  }
  const parser = createMessageParser(CLIENT_PARSER_LIMITS)
  parser.push(Buffer.from('garbage\r\n'.repeat(3_000)))
  expect(() => takeAll(parser)).toThrow(RtspFailure)
})

test('a small frame of a large read keeps nothing but itself in memory', () => {
  const parser = createMessageParser()
  const frame = (channel: number, bytes: number) =>
    Buffer.concat([Buffer.of(0x24, channel, bytes >> 8, bytes & 255), Buffer.alloc(bytes, channel)])
  parser.push(Buffer.concat([frame(0, 13), frame(9, 60_000)]))
  const [small, large] = [parser.next(), parser.next()] as InterleavedFrame[]
  expect(small!.data).toEqual(Buffer.alloc(13, 0))
  expect(small!.data.buffer.byteLength).toBe(13)
  expect(large!.data).toEqual(Buffer.alloc(60_000, 9))
})
