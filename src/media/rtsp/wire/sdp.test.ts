import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MediaTrack } from '../../stream.ts'
import { RtspFailure } from './message.ts'
import { parseSdp } from './sdp-parser.ts'
import { writeSdp } from './sdp-writer.ts'

const sps = Buffer.from('Z2QAH6zZQFAFuhAAAAMAEAAAAwPA8YMZYA==', 'base64')
const pps = Buffer.from('aOvjyyLA', 'base64')

const fromFfmpeg = `v=0
o=- 0 0 IN IP4 127.0.0.1
s=No Name
c=IN IP4 127.0.0.1
t=0 0
a=tool:libavformat 59.27.100
m=video 0 RTP/AVP 96
a=rtpmap:96 H264/90000
a=fmtp:96 packetization-mode=1; sprop-parameter-sets=${sps.toString('base64')},${pps.toString('base64')}; profile-level-id=64001F
a=control:streamid=0
m=audio 0 RTP/AVP 97
b=AS:69
a=rtpmap:97 MPEG4-GENERIC/44100/1
a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; config=1208
a=control:streamid=1
`

test('the description of an ffmpeg publisher', () => {
  const [video, audio] = parseSdp(fromFfmpeg.replaceAll('\n', '\r\n'))
  expect(video).toMatchObject({
    control: 'streamid=0',
    track: { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, parameterSets: [sps, pps] },
  })
  expect(audio).toMatchObject({
    control: 'streamid=1',
    track: { kind: 'audio', codec: 'aac', payloadType: 97, clockRate: 44_100, channels: 1 },
  })
})

test.each<[string, Partial<MediaTrack>]>([
  ['m=video 0 RTP/AVP 96\na=rtpmap:96 h264/90000', { codec: 'h264', encodingName: 'h264' }],
  [
    'm=video 0 RTP/AVP 96\na=rtpmap:96 H265/90000\na=fmtp:96 sprop-vps=QAEM; sprop-sps=QgEB; sprop-pps=RAHA',
    { codec: 'h265', parameterSets: ['QAEM', 'QgEB', 'RAHA'].map((text) => Buffer.from(text, 'base64')) },
  ],
  ['m=audio 0 RTP/AVP 97\na=rtpmap:97 opus/48000/2', { codec: 'opus', clockRate: 48_000, channels: 2 }],
  ['m=audio 0 RTP/AVP 0', { codec: 'pcmu', clockRate: 8_000, encodingName: 'PCMU' }],
  ['m=audio 0 RTP/AVP 8 101\na=rtpmap:101 telephone-event/8000', { codec: 'pcma', payloadType: 8 }],
  ['m=video 0 RTP/AVP 26', { codec: 'other', encodingName: 'JPEG', clockRate: 90_000 }],
  ['m=application 0 RTP/AVP 107\na=rtpmap:107 vnd.onvif.metadata/90000', { kind: 'data', codec: 'other' }],
  ['m=video 0 RTP/AVP 99', { codec: 'other', encodingName: '', clockRate: 90_000 }],
  [
    'm=video 0 RTP/AVPF 96\na=rtpmap:96 H264/0\na=fmtp:96 sprop-parameter-sets=,@',
    { codec: 'h264', clockRate: 90_000 },
  ],
])('%j', (text, expected) => expect(parseSdp(`v=0\n${text}\n`)[0]!.track).toMatchObject(expected))

test.each([
  ['is too long', 'X'.repeat(1000), 'X'.repeat(32)],
  ['has what cannot be printed behind it', 'X\u0007\u001b[31m', 'X'],
  ['is no ASCII', '视频', ''],
])('of the name of a codec that %s, only the beginning is kept', (_what, announced, encodingName) => {
  const [video] = parseSdp(`v=0\nm=video 0 RTP/AVP 96\na=rtpmap:96 ${announced}/90000\n`)
  expect(video!.track).toMatchObject({ codec: 'other', encodingName, clockRate: 90_000 })
})

test.each([
  ['nothing', ''],
  ['no media', 'v=0\ns=x\n'],
  ['no payload type', 'm=video 0 RTP/AVP\n'],
  ['a payload type too large', 'm=video 0 RTP/AVP 128\n'],
  ['something else than RTP', 'm=video 9 UDP 96\n'],
  ['too many tracks', 'm=audio 0 RTP/AVP 0\n'.repeat(9)],
])('%s is refused', (_what, text) => expect(() => parseSdp(text)).toThrow(RtspFailure))

test('what is written can be read back, with controls of our own', () => {
  const tracks = parseSdp(fromFfmpeg).map(({ track }) => track)
  const again = parseSdp(writeSdp({ tracks }))
  expect(again.map(({ control }) => control)).toEqual(['trackID=0', 'trackID=1'])
  expect(again[1]!.track).toEqual(tracks[1])
  expect(again[0]!.track).toMatchObject({ ...tracks[0], fmtp: expect.any(String) as string })
})

test('readers get the newest parameter sets, not those that were announced', () => {
  const [announced] = parseSdp(fromFfmpeg)
  const newer = Buffer.from([0x67, 0x42, 0xc0, 0x1e, 0x80])
  const text = writeSdp({ tracks: [{ ...announced!.track, parameterSets: [newer, pps] }] })
  expect(text).toContain('profile-level-id=42c01e')
  expect(parseSdp(text)[0]!.track.parameterSets).toEqual([newer, pps])
})

test('a track that says nothing of its format gets a whole format line', () => {
  const track: MediaTrack = {
    kind: 'video',
    codec: 'h264',
    payloadType: 96,
    clockRate: 90_000,
    encodingName: 'H264',
    parameterSets: [sps, pps],
  }
  expect(writeSdp({ tracks: [track] })).toContain('a=fmtp:96 packetization-mode=1; sprop-parameter-sets=')
})

test('no text makes the parser throw anything but a failure, nor the writer begin lines it should not', () => {
  const line = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom(...fromFfmpeg.split('\n')))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      try {
        const tracks = parseSdp(lines.join('\n')).map(({ track }) => track)
        expect(
          writeSdp({ tracks })
            .split('\r\n')
            .slice(0, -1)
            .every((text) => /^[voscmta]=/.test(text)),
        ).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(RtspFailure)
      }
    }),
  )
})
