import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTrack, parseStreamUrl } from './stream-url.ts'

test.each([
  ['rtsp://host:8554/ada/cam', '/ada/cam', undefined],
  ['rtsp://host/ada/cam/', '/ada/cam', undefined],
  ['RTSP://host/ada/cam//', '/ada/cam', undefined],
  ['rtsps://host/ada/cam/trackID=1', '/ada/cam', 'trackID=1'],
  ['rtsp://host/ada/cam/trackID=1/', '/ada/cam', 'trackID=1'],
  ['rtsp://host/ada/cam/trackID=1?token=T', '/ada/cam', 'trackID=1'],
  ['rtsp://host/ada/cam?token=T/trackID=1', '/ada/cam', 'trackID=1'],
  ['rtsp://host/ada/cam?token=T/streamid=0', '/ada/cam', 'streamid=0'],
  ['rtsp://host/ada/cam/?token=T/', '/ada/cam', undefined],
  ['rtsp://host/ada/%63am', '/ada/cam', undefined],
  ['rtsp://host/ada/%zz', '/ada/%zz', undefined],
  ['/ada/cam', '/ada/cam', undefined],
  ['rtsp://host', '', undefined],
  ['*', '', undefined],
])('%s is the path %j with the control %j', (raw, path, control) => {
  expect(parseStreamUrl(raw)).toMatchObject({ path, control })
})

test.each([
  ['rtsp://host/ada/cam?api_key=K', 'K'],
  ['rtsp://host/ada/cam?api_key=K/', 'K'],
  ['rtsp://host/ada/cam?x=1&api_key=K/streamid=0', 'K'],
  ['rtsp://host/ada/cam/streamid=0?api_key=K', 'K'],
])('the key is found in %s', (raw, key) => expect(parseStreamUrl(raw).query.get('api_key')).toBe(key))

test('userinfo is decoded, and stays out of the base', () => {
  expect(parseStreamUrl('rtsp://ada:p%40ss:w@host:8554/ada/cam?token=T')).toMatchObject({
    userinfo: { username: 'ada', password: 'p@ss:w' },
    base: 'rtsp://host:8554/ada/cam/',
  })
})

test.each([
  ['rtsp://h/a/b/streamid=1', ['streamid=0', 'streamid=1'], 1],
  ['rtsp://h/a/b?api_key=K/streamid=1', ['streamid=0', 'streamid=1'], 1],
  ['rtsp://h/a/b/stream=1?api_key=K', ['stream=1', 'stream=0'], 0],
  ['rtsp://other/a/b/video', ['rtsp://h/a/b/audio', 'rtsp://h/a/b/video'], 1],
  ['rtsp://h/a/b/stream=0', ['stream=0'], 0],
  ['rtsp://h/a/b/track2/', ['track1', 'track2'], 1],
  ['rtsp://h/a/b/trackID=1', [undefined, undefined], 1],
  ['rtsp://h/a/b', ['*'], 0],
  ['rtsp://h/a/b', [undefined, undefined], undefined],
  ['rtsp://h/a/b/trackID=7', [undefined], undefined],
])('%s among %j is track %s', (url, controls, track) => expect(findTrack(url, controls)).toBe(track))

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (raw) => void [parseStreamUrl(raw), findTrack(raw, [raw])]))
})
