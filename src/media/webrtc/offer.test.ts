import { expect, test } from 'vitest'
import { type MediaTrack } from '../stream.ts'
import { OfferError, parseOffer } from './offer.ts'
import { chooseFormat } from './track-choice.ts'

const head = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0']
const security = ['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuvwx', 'a=fingerprint:sha-256 AA:BB']
const video = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 102 104 116',
  'a=mid:0',
  'a=recvonly',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtpmap:104 H264/90000',
  'a=fmtp:104 packetization-mode=0;profile-level-id=42e01f',
  'a=rtpmap:116 H264/90000',
  'a=fmtp:116 packetization-mode=1;profile-level-id=64001f',
]
const audio = ['m=audio 9 UDP/TLS/RTP/SAVPF 111 0', 'a=mid:1', 'a=recvonly', 'a=rtpmap:111 opus/48000/2']
const offerOf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`
const whole = offerOf(...head, ...security, ...video, ...audio)

test('an offer lists its sections, directions and formats, the old ones without a line included', () => {
  const { media } = parseOffer(whole)
  expect(media.map(({ kind, mid, direction }) => ({ kind, mid, direction }))).toEqual([
    { kind: 'video', mid: '0', direction: 'recvonly' },
    { kind: 'audio', mid: '1', direction: 'recvonly' },
  ])
  expect(media[0]!.formats.map(({ payloadType }) => payloadType)).toEqual([96, 102, 104, 116])
  expect(media[1]!.formats).toEqual([
    { payloadType: 111, name: 'OPUS', clockRate: 48_000, channels: 2, fmtp: '' },
    { payloadType: 0, name: 'PCMU', clockRate: 8_000, channels: 1, fmtp: '' },
  ])
})

test.each([
  ['nothing', ''],
  ['another text', 'hello'],
  ['no media', offerOf(...head, ...security)],
  ['no password', offerOf(...head, security[0]!, security[2]!, ...video)],
  ['no fingerprint', offerOf(...head, security[0]!, security[1]!, ...video)],
  ['no mid', offerOf(...head, ...security, video[0]!, ...video.slice(2))],
  ['a mid that would begin a line', offerOf(...head, ...security, video[0]!, 'a=mid:0\ra=x', ...video.slice(2))],
  ['the same mid twice', offerOf(...head, ...security, ...video, ...video)],
  [
    'too many sections',
    offerOf(...head, ...security, ...Array.from({ length: 17 }, (_, i) => `m=video 9 X 96\r\na=mid:${i}`)),
  ],
  ['too much', whole + 'a=x:y\r\n'.repeat(10_000)],
])('%s is no offer', (_name, text) => {
  expect(() => parseOffer(text)).toThrow(OfferError)
})

const track = (codec: MediaTrack['codec'], profile = 66): MediaTrack => ({
  kind: codec === 'h264' || codec === 'h265' ? 'video' : 'audio',
  codec,
  payloadType: 96,
  clockRate: 90_000,
  encodingName: codec,
  parameterSets: [Buffer.of(0x67, profile, 0, 31)],
})

test.each([
  { name: 'the profile of the stream where it is offered', track: track('h264', 100), chosen: 116 },
  { name: 'else the first that takes fragments', track: track('h264', 77), chosen: 102 },
  { name: 'baseline for baseline', track: track('h264', 66), chosen: 102 },
  { name: 'nothing for H.265 that was not offered', track: track('h265'), chosen: undefined },
])('of the pictures’ formats is taken: $name', ({ track: given, chosen }) => {
  expect(chooseFormat(given, parseOffer(whole).media[0]!.formats)?.payloadType).toBe(chosen)
})

test.each([
  { codec: 'opus', chosen: 111 },
  { codec: 'pcmu', chosen: 0 },
  { codec: 'pcma', chosen: undefined },
  { codec: 'aac', chosen: undefined },
] as const)('$codec goes into payload type $chosen', ({ codec, chosen }) => {
  expect(chooseFormat(track(codec), parseOffer(whole).media[1]!.formats)?.payloadType).toBe(chosen)
})
