import { expect, test } from 'vitest'
import { checkInput } from '../core/check-input.ts'
import { browserUrls, NewStream, ProbedStream, toRecordingRecord } from './sources.schema.ts'

const segment = (startedAt: number, durationMs: number | null) => ({
  id: `${startedAt}`,
  recordingId: 'r',
  accountId: 'a',
  file: 'f',
  startedAt,
  durationMs,
  sizeBytes: 5,
})
const recording = { id: 'r', accountId: 'a', sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 90_000 }

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

test('a break of a second or more between two files is a gap; a shorter one is not', () => {
  const record = toRecordingRecord(
    { ...recording, segments: [segment(0, 60_000), segment(60_200, 20_000), segment(85_200, 4_800)] },
    (id) => `/${id}`,
  )
  expect(record.gaps).toEqual([{ start: '1970-01-01T00:01:20.200Z', duration_seconds: 5 }])
  expect(record).toMatchObject({ duration_seconds: 84.8, size_bytes: 15, ended_at: '1970-01-01T00:01:30.000Z' })
  expect(record.segments[0]).toEqual({
    start: '1970-01-01T00:00:00.000Z',
    duration_seconds: 60,
    size_bytes: 5,
    download_url: '/0',
  })
})

test('a recording that goes on has no end, and a file that is being written no length', () => {
  const record = toRecordingRecord({ ...recording, endedAt: null, segments: [segment(0, null)] }, () => '/')
  expect(record).toMatchObject({ ended_at: null, duration_seconds: 0, segments: [{ duration_seconds: null }] })
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
