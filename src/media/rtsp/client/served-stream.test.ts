import { expect, test } from 'vitest'
import { type RtspResponse } from '../wire/message.ts'
import { readServedStream } from './served-stream.ts'

const requestUrl = 'rtsp://camera/live?a=b'
const video = 'm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n'

function served(sdp: string, headers: Record<string, string> = {}) {
  const response: RtspResponse = {
    kind: 'response',
    status: 200,
    reason: 'OK',
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(`v=0\r\ns=-\r\n${sdp}`),
  }
  return readServedStream(requestUrl, response)
}

test.each<[name: string, sdp: string, headers: Record<string, string>, whole: string, track: string]>([
  ['no controls', video, {}, requestUrl, requestUrl],
  ['a relative control', `a=control:*\r\n${video}a=control:trackID=1\r\n`, {}, requestUrl, `${requestUrl}/trackID=1`],
  [
    'a base',
    `${video}a=control:t1\r\n`,
    { 'content-base': 'rtsp://camera/b/' },
    'rtsp://camera/b/',
    'rtsp://camera/b/t1',
  ],
  [
    'one without a slash',
    `${video}a=control:t1\r\n`,
    { 'content-base': 'rtsp://camera/b' },
    'rtsp://camera/b',
    'rtsp://camera/b/t1',
  ],
  [
    'a location',
    `${video}a=control:t1\r\n`,
    { 'content-location': 'rtsp://camera/l/' },
    'rtsp://camera/l/',
    'rtsp://camera/l/t1',
  ],
  [
    'a base with a query',
    `${video}a=control:trackID=0\r\n`,
    { 'content-base': 'rtsp://camera/cam/realmonitor?channel=1&subtype=0/' },
    'rtsp://camera/cam/realmonitor?channel=1&subtype=0/',
    'rtsp://camera/cam/realmonitor?channel=1&subtype=0/trackID=0',
  ],
  ['a base that is none', `${video}a=control:t1\r\n`, { 'content-base': '/b/' }, requestUrl, `${requestUrl}/t1`],
  [
    'absolute controls',
    `a=control:rtsp://nat/all\r\n${video}A=Control: rtsp://nat/one\r\n`,
    {},
    'rtsp://nat/all',
    'rtsp://nat/one',
  ],
  [
    'a slash before',
    `${video}a=control:/t1\r\n`,
    { 'content-base': 'rtsp://camera/b/' },
    'rtsp://camera/b/',
    'rtsp://camera/b/t1',
  ],
  [
    'a query',
    `${video}a=control:?t=1\r\n`,
    { 'content-base': 'rtsp://camera/b' },
    'rtsp://camera/b',
    'rtsp://camera/b?t=1',
  ],
])('%s', (_name, sdp, headers, whole, track) => {
  const stream = served(sdp, headers)
  expect([stream.url, stream.tracks[0]!.url]).toEqual([whole, track])
})

const metadata = 'm=application 0 RTP/AVP 107\na=rtpmap:107 vnd.onvif.metadata/90000\na=control:meta\n'

test.each<[name: string, sdp: string, codecs: readonly string[]]>([
  ['lines that end in LF', video.replaceAll('\r', ''), ['h264']],
  ['lines that end in CR', video.replaceAll('\n', ''), ['h264']],
  ['a section that is not RTP', `m=application 0 TCP/WSP x\r\n${video}`, ['h264']],
  ['metadata of ONVIF', metadata + video, ['other', 'h264']],
  ['other cases', 'M=VIDEO 0 rtp/avp 96\r\nA=RTPMAP:96 h265/90000\r\n', ['h265']],
  ['garbage behind it', `${video}\0\0x\r\nnonsense\r\na=\r\n=`, ['h264']],
  ['sizes', `${video}a=x-dimensions:1920,1080\r\na=framerate:25\r\n`, ['h264']],
  ['a static type without a map', 'm=video 0 RTP/AVP 26\r\n', ['other']],
  [
    'a format that is known behind one that is not',
    'm=video 0 RTP/AVP 98 96\r\na=rtpmap:98 X/90000\r\na=rtpmap:96 H264/90000\r\n',
    ['h264'],
  ],
  ['too many sections', video.repeat(20), Array<string>(8).fill('h264')],
])('a description with %s is understood', (_name, sdp, codecs) => {
  expect(served(sdp).tracks.map(({ track }) => track.codec)).toEqual(codecs)
})

test('one without media is no answer of a camera', () => {
  expect(() => served('a=control:*\r\n')).toThrow('no media')
})
