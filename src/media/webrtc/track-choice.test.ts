import { describe, expect, test } from 'vitest'
import { type MediaTrack } from '../stream.ts'
import { type Direction, type Offer, type OfferedFormat } from './offer.ts'
import { chooseReceived, chooseSent } from './track-choice.ts'

const format = (payloadType: number, name: string, fmtp = ''): OfferedFormat => ({
  payloadType,
  name,
  clockRate: 90_000,
  channels: 2,
  fmtp,
})
const baseline = format(102, 'H264', 'packetization-mode=1;profile-level-id=42e01f')
const high = format(103, 'H264', 'packetization-mode=1;profile-level-id=640032')
const single = format(104, 'H264', 'packetization-mode=0;profile-level-id=42e01f')
const opus = format(111, 'OPUS')

const offer = (direction: Direction, video: OfferedFormat[], audio: OfferedFormat[] = []): Offer => ({
  media: [
    { kind: 'audio', mid: 'a', direction, formats: audio },
    { kind: 'video', mid: 'v', direction, formats: video },
  ],
})
const track = (codec: MediaTrack['codec'], encodingName: string = codec): MediaTrack => {
  const kind = codec === 'h264' || codec === 'h265' ? 'video' : 'audio'
  return { kind, codec, payloadType: 96, clockRate: 90_000, encodingName }
}
const stream = (...tracks: MediaTrack[]) => ({ tracks, hasReorderedPictures: false })

describe('what a viewer gets', () => {
  test('the first picture and the first sound that fit, each in its section', () => {
    const chosen = chooseSent(
      stream(track('opus'), track('h264'), track('h264')),
      offer('recvonly', [baseline], [opus]),
    )
    expect(chosen).toMatchObject([
      { track: 0, mid: 'a', format: opus },
      { track: 1, mid: 'v', format: baseline },
    ])
  })

  test('sound that does not fit is left out', () => {
    const chosen = chooseSent(stream(track('aac'), track('h264')), offer('recvonly', [baseline], [opus]))
    expect(chosen).toMatchObject([{ track: 1 }])
  })

  test.each([
    [
      'a picture that the browser does not know',
      stream(track('h265', 'H265')),
      offer('recvonly', [baseline]),
      /is H265/,
    ],
    [
      'B-frames',
      { ...stream(track('h264', 'H264')), hasReorderedPictures: true },
      offer('recvonly', [baseline]),
      /B-frames/,
    ],
    ['a browser that only sends', stream(track('h264')), offer('sendonly', [baseline]), /Nothing of the stream/],
  ])('%s cannot be carried', (_name, given, from, sentence) => {
    expect(() => chooseSent(given, from)).toThrow(sentence)
  })
})

describe('what a publisher sends', () => {
  test.each([
    ['the baseline profile before others', [high, baseline], 102],
    ['another profile where that is missing', [single, high], 103],
  ])('%s', (_name, formats, payloadType) => {
    expect(chooseReceived(offer('sendonly', formats))).toMatchObject([
      { mid: 'v', track: { codec: 'h264', kind: 'video', payloadType, fmtp: 'packetization-mode=1' } },
    ])
  })

  test('sound in Opus goes along', () => {
    const [, sound] = chooseReceived(offer('sendrecv', [baseline], [format(0, 'PCMU'), opus]))
    expect(sound).toMatchObject({ mid: 'a', track: { codec: 'opus', kind: 'audio', payloadType: 111, channels: 2 } })
  })

  test.each([
    ['pictures that must fit into a packet', offer('sendonly', [single])],
    ['a browser that only watches', offer('recvonly', [baseline])],
  ])('%s are refused', (_name, given) => {
    expect(() => chooseReceived(given)).toThrow('The offer has no H.264 picture to send.')
  })
})
