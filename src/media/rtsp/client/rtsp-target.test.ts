import { expect, test } from 'vitest'
import { parseRtspTarget, redirectedTarget } from './rtsp-target.ts'

test.each([
  ['rtsp://camera/a/b?c=d', { url: 'rtsp://camera/a/b?c=d', hostname: 'camera', port: 554, isTls: false }],
  ['RTSPS://camera:7441/x', { url: 'rtsps://camera:7441/x', port: 7441, isTls: true }],
  ['rtsps://camera', { url: 'rtsps://camera', port: 322 }],
  ['rtsp://u:p%40ss@[::1]:8554/x', { url: 'rtsp://[::1]:8554/x', hostname: '::1', port: 8554 }],
  ['rtsp://u:p@ss@camera/x', { url: 'rtsp://camera/x', credentials: { username: 'u', password: 'p@ss' } }],
  ['rtsp://u:p%40%zz@camera/x', { credentials: { username: 'u', password: 'p%40%zz' } }],
  ['rtsp://u%3A:p%C3%BC@camera/x', { credentials: { username: 'u:', password: 'pü' } }],
  ['rtsp://camera/x', { credentials: undefined, redirects: 0 }],
  ['rtsp://camera/x#part', { url: 'rtsp://camera/x' }],
  ['rtsp://camera/a b\r\nX: ü', { url: 'rtsp://camera/a%20b%0d%0aX:%20%c3%bc' }],
])('%s', (text, expected) => expect(parseRtspTarget(text)).toMatchObject(expected))

test.each([
  'rtmp://camera/x',
  'rtsp:///x',
  'rtsp://camera:0/x',
  'rtsp://camera:99999/x',
  'rtsp://a:b:c/x',
  '',
  'rtsp://u%0d%0aX:p@camera/',
])('%j is refused', (text) => expect(() => parseRtspTarget(text)).toThrow())

const camera = parseRtspTarget('rtsp://u:p@camera/x')

test.each([
  ['rtsp://camera:8554/y', { url: 'rtsp://camera:8554/y', port: 8554, credentials: camera.credentials }],
  ['rtsps://CAMERA/y', { isTls: true, credentials: camera.credentials }],
  ['rtsp://other/y', { hostname: 'other', credentials: undefined }],
  ['rtsp://v:q@other/y', { url: 'rtsp://other/y', credentials: undefined }],
  ['/y', { url: 'rtsp://camera/y' }],
])('a redirect to %s is followed', (location, expected) =>
  expect(redirectedTarget(camera, location)).toMatchObject({ ...expected, redirects: 1 }),
)

test.each([
  ['http://camera/y', 'not RTSP'],
  ['file:///etc/passwd', 'not RTSP'],
  ['', 'more than 3 times'],
])('a redirect to %j is not', (location, sentence) => {
  const from = location ? camera : { ...camera, redirects: 3 }
  expect(() => redirectedTarget(from, location || 'rtsp://camera/y')).toThrow(sentence)
})

test('nobody is led from TLS to plain text', () => {
  expect(() => redirectedTarget(parseRtspTarget('rtsps://camera/x'), 'rtsp://camera/x')).toThrow('not encrypted')
})
