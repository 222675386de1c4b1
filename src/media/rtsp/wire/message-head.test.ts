import { describe, expect, test } from 'vitest'
import { createHeaderLines, parseContentLength, parseStartLine } from './message-head.ts'

const failure = (status: number) => expect.objectContaining({ name: 'RtspFailure', status }) as Error

describe('the start line', () => {
  test.each([
    ['OPTIONS * RTSP/1.0', { kind: 'request', method: 'OPTIONS', url: '*' }],
    ['PLAY  rtsp://h/a?b=c  RTSP/1.1', { kind: 'request', method: 'PLAY', url: 'rtsp://h/a?b=c' }],
    ['RTSP/1.0 404 Not Found ', { kind: 'response', status: 404, reason: 'Not Found' }],
    ['RTSP/1.0 200', { kind: 'response', status: 200, reason: '' }],
  ])('%s', (line, parsed) => expect(parseStartLine(line)).toEqual(parsed))

  test.each([
    ['GET / HTTP/1.1', 505],
    ['OPTIONS * RTSP/2.0', 505],
    ['RTSP/2.0 200 OK', 400],
    ['no request', 400],
  ])('%s: %i', (line, status) => expect(() => parseStartLine(line)).toThrow(failure(status)))
})

describe('header lines', () => {
  test('names are in lower case, repeated values joined, continuations appended', () => {
    const lines = createHeaderLines(5)
    const added = ['CSeq: 1', 'Public :OPTIONS,', '\tPLAY', 'public: PAUSE'].map((line) => lines.add(line))
    expect(added).toEqual([true, true, true, true])
    expect(lines.headers).toEqual(
      new Map([
        ['cseq', '1'],
        ['public', 'OPTIONS, PLAY, PAUSE'],
      ]),
    )
  })

  test('what is no header is left out, and counts too', () => {
    const lines = createHeaderLines(3)
    expect([' continues nothing', 'no header', 'A: 1'].map((line) => lines.add(line))).toEqual([false, false, true])
    expect(() => lines.add('B: 2')).toThrow(failure(400))
    expect(lines.headers).toEqual(new Map([['a', '1']]))
  })
})

describe('the length of the body', () => {
  const lengthOf = (value?: string) =>
    parseContentLength(new Map(value === undefined ? [] : [['content-length', value]]), 100)

  test('is 0 without the header', () => expect(lengthOf()).toBe(0))
  test('may be as large as the limit', () => expect(lengthOf('100')).toBe(100))
  test.each([
    ['-1', 400],
    ['ten', 400],
    ['101', 413],
  ])('%s: %i', (value, status) => expect(() => lengthOf(value)).toThrow(failure(status)))
})
