import { describe, expect, test } from 'vitest'
import { parseRtmpAddress } from './rtmp-address.ts'

describe('an address is split as FFmpeg splits it', () => {
  test.each([
    ['rtmp://host/live/cam', 'live', 'cam', 'rtmp://host/live'],
    ['rtmp://host:1936/live/cam', 'live', 'cam', 'rtmp://host:1936/live'],
    ['rtmp://host/live/one/cam', 'live/one', 'cam', 'rtmp://host/live/one'],
    ['rtmp://host/live/one/two/cam', 'live/one', 'two/cam', 'rtmp://host/live/one'],
    ['rtmp://host/cam', 'cam', '', 'rtmp://host/cam'],
    ['rtmp://host/live/', 'live', '', 'rtmp://host/live'],
    ['rtmp://host//live/cam', 'live', 'cam', 'rtmp://host/live'],
    ['rtmp://host/live/cam?key=a/b&c=?', 'live', 'cam?key=a/b&c=?', 'rtmp://host/live'],
    ['rtmp://host/cam?key=a/b', 'cam?key=a/b', '', 'rtmp://host/cam?key=a/b'],
    ['rtmp://Host/live/Cam-%41+#x', 'live', 'Cam-%41+#x', 'rtmp://Host/live'],
    ['rtmp://me:p%40ss@host/live/cam', 'live', 'cam', 'rtmp://host/live'],
    ['rtmp://me:p@ss@host:1936/live/cam', 'live', 'cam', 'rtmp://host:1936/live'],
  ])('%s', (url, app, name, tcUrl) => expect(parseRtmpAddress(url)).toMatchObject({ app, name, tcUrl }))
})

describe('host and port', () => {
  test.each([
    ['rtmp://host/a/b', 'host', 1935, false],
    ['rtmps://host/a/b', 'host', 443, true],
    ['RTMPS://host:1936/a/b', 'host', 1936, true],
    ['rtmp://192.0.2.7:80/a/b', '192.0.2.7', 80, false],
    ['rtmp://[2001:db8::1]:1936/a/b', '2001:db8::1', 1936, false],
    ['rtmp://user:p@ss@host/a/b', 'host', 1935, false],
  ])('%s', (url, hostname, port, isTls) => expect(parseRtmpAddress(url)).toMatchObject({ hostname, port, isTls }))
})

test.each([
  '',
  'host/live/cam',
  'http://host/live/cam',
  'rtsp://host/live/cam',
  'rtmpt://host/live/cam',
  'rtmp://',
  'rtmp://host',
  'rtmp://host/',
  'rtmp://host?x=/live/cam',
  'rtmp:///live/cam',
  'rtmp://user@/live/cam',
  'rtmp://host:0/live/cam',
  'rtmp://host:99999/live/cam',
  'rtmp://host:port/live/cam',
  'rtmp://[::1/live/cam',
  'rtmp://host/live/my cam',
  'rtmp://host/live/cam\r\n',
])('%j is no address', (url) => expect(() => parseRtmpAddress(url)).toThrow(/^An RTMP address looks like/))

test.each([
  ['rtmp://host/live/cam', undefined],
  ['rtmp://me@host/live/cam', undefined],
  ['rtmp://me:p%40ss%2f@host/live/cam', { username: 'me', password: 'p@ss/' }],
  ['rtmp://a@b:p%zz@host/live/cam', { username: 'a@b', password: 'p%zz' }],
])('the credentials of %s', (url, credentials) => expect(parseRtmpAddress(url).credentials).toEqual(credentials))

test('sentences name host and port only, and know what must not be shown', () => {
  const { label, secrets } = parseRtmpAddress('rtmp://me:password@host/live/stream-key?sign=abcdef')
  expect(label).toBe('host:1935')
  expect(secrets).toEqual(['stream-key?sign=abcdef', 'stream-key', 'sign=abcdef', 'password'])
  expect(parseRtmpAddress('rtmp://host/live/cam').secrets).toEqual([])
})
