import { expect, test } from 'vitest'
import { checkInput } from '../core/check-input.ts'
import { browserUrls, NewStream, ProbedStream } from './sources.schema.ts'

test.each([
  ['http://camera/1', 'rtsp', ['body.input_url']],
  ['camera', 'rtsp', ['body.input_url']],
  ['rtmp://camera/1', 'rtsp', ['body.stream_type']],
  ['rtsps://camera/1', 'rtsp', undefined],
])('of %s as %s one mistake is said once', (input_url, stream_type, paths) => {
  const { errors } = checkInput(NewStream, { alias: 'cam', input_url, stream_type }, 'body')
  expect(errors?.map(({ path }) => path)).toEqual(paths)
})

test.each([
  ['camera.local/1', 'rtsp', /^Write an address that begins with rtsp:\/\/ .*rtsp:\/\/camera\.local\/1/],
  ['rtsp://camera:99999/1', 'rtsp', /^This is not a URL; write .*rtsp:\/\/camera\.local:554\/1\.$/],
  ['rtsp://me:p#d@camera/1', 'rtsp', /^Write an @ or # of its password as %40 or %23\.$/],
  ['rtmp://camera/1', 'rtsp', /begins with rtmp: write rtmp here, or give an address that begins with rtsp\.$/],
])('of %s as %s it says what to write', (input_url, stream_type, sentence) => {
  const { errors } = checkInput(NewStream, { alias: 'cam', input_url, stream_type }, 'body')
  expect(errors?.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)])
})

test('an address that is to be looked at is checked alike', () => {
  for (const input_url of ['camera.local/1', 'rtsp://camera:99999/1']) {
    const { errors } = checkInput(ProbedStream, { input_url }, 'body')
    expect(errors?.map(({ message }) => message)).toEqual([expect.stringContaining('rtsp://camera.local')])
  }
})

test('a token’s addresses in browsers are for what it may do', () => {
  const token = { id: 't', sourceId: 's', expiresAt: null, createdAt: 0 }
  const of = (action: 'read' | 'publish') =>
    browserUrls('admin/cam', { ...token, action }, 'tk_1', 'https://video.example.org')
  expect(of('read')).toEqual({
    hls: 'https://video.example.org/hls/admin/cam/index.m3u8?token=tk_1',
    webrtc: 'https://video.example.org/webrtc/admin/cam?token=tk_1',
  })
  expect(of('publish')).toEqual({ webrtc: 'https://video.example.org/webrtc/admin/cam/whip?token=tk_1' })
})
