import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAacDepacketizer } from './aac-depacketizer.ts'
import { createAacPacketizer } from './aac-packetizer.ts'
import { describeAacTrack, parseAacConfig, readAacFormat } from './aac-track.ts'
import { buildPacket } from './packet.ts'

const CONFIG = Buffer.from('1190', 'hex')
const FORMAT = readAacFormat(describeAacTrack(97, CONFIG)!)!

describe('the configuration', () => {
  test.each([
    { hex: '1190', expected: { objectType: 2, sampleRate: 48_000, channels: 2, samplesPerFrame: 1024 } },
    { hex: '1208', expected: { objectType: 2, sampleRate: 44_100, channels: 1, samplesPerFrame: 1024 } },
    { hex: '1194', expected: { sampleRate: 48_000, samplesPerFrame: 960 } },
    // HE-AAC: the core at 24 kHz, the sound at 48.
    { hex: '2b118800', expected: { objectType: 2, sampleRate: 48_000, channels: 2, samplesPerFrame: 2048 } },
  ])('$hex is read', ({ hex, expected }) => expect(parseAacConfig(Buffer.from(hex, 'hex'))).toMatchObject(expected))

  test.each(['', '11', 'ffff', '1680', '17ffffff'])('%j is not usable', (hex) => {
    expect(parseAacConfig(Buffer.from(hex, 'hex'))).toBeUndefined()
  })

  test('goes into the fmtp and comes back from there', () => {
    expect(describeAacTrack(97, CONFIG)).toMatchObject({
      clockRate: 48_000,
      channels: 2,
      encodingName: 'MPEG4-GENERIC',
    })
    expect(FORMAT).toEqual({ config: CONFIG, sizeLength: 13, indexLength: 3, indexDeltaLength: 3, ticksPerFrame: 1024 })
  })

  test('a track of another payload format has none', () => {
    expect(readAacFormat({ ...describeAacTrack(97, CONFIG)!, encodingName: 'MP4A-LATM' })).toBeUndefined()
    expect(readAacFormat({ ...describeAacTrack(97, CONFIG)!, fmtp: 'config=zz' })).toBeUndefined()
  })
})

describe('packets', () => {
  test('what was packetized comes back as it was', () => {
    const frame = fc
      .integer({ min: 1, max: 8191 })
      .map((length) => Buffer.from(Array.from({ length }, (_, index) => index & 0xff)))
    const frames = fc.array(frame, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(frames, (input) => {
        const packetize = createAacPacketizer({ payloadType: 97 })
        const depacketizer = createAacDepacketizer(FORMAT)
        const packets = input.flatMap((frame, index) => packetize(frame, index * 1024))
        for (const packet of packets) expect(packet.length).toBeLessThanOrEqual(1400)
        const output = packets.flatMap((packet) => depacketizer.push(packet))
        expect(output.map(({ timestamp }) => timestamp)).toEqual(input.map((_, index) => index * 1024))
        expect(output.every(({ data }, index) => data.equals(input[index]!))).toBe(true)
      }),
    )
  })

  test('several frames of a packet are a frame apart', () => {
    const payload = Buffer.concat([Buffer.of(0, 32), Buffer.of(0, 2 << 3, 0, 1 << 3), Buffer.of(1, 2, 3)])
    const header = { payloadType: 97, ssrc: 1, sequenceNumber: 1, timestamp: 5000, marker: true }
    expect(createAacDepacketizer(FORMAT).push(buildPacket(header, payload))).toEqual([
      { timestamp: 5000, data: Buffer.of(1, 2) },
      { timestamp: 6024, data: Buffer.of(3) },
    ])
  })

  test('a frame with a lost fragment is dropped', () => {
    const packetize = createAacPacketizer({ payloadType: 97 })
    const depacketizer = createAacDepacketizer(FORMAT)
    const [first, , ...others] = [...packetize(Buffer.alloc(4000, 1), 1), ...packetize(Buffer.of(9), 2)]
    const frames = [first!, ...others].flatMap((packet) => depacketizer.push(packet))
    expect(frames).toEqual([{ timestamp: 2, data: Buffer.of(9) }])
  })

  test('a frame that is too large for the format is left out', () => {
    expect(createAacPacketizer({ payloadType: 97 })(Buffer.alloc(8192), 1)).toEqual([])
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (chunks) => {
        const depacketizer = createAacDepacketizer(FORMAT)
        for (const bytes of chunks) depacketizer.push(Buffer.concat([Buffer.alloc(12, 0x80), Buffer.from(bytes)]))
      }),
    )
  })
})
