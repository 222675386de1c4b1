import { expect, test } from 'vitest'
import { buildBye } from '../rtsp/wire/rtcp.ts'
import { buildBitrateLimit, buildNack, buildPictureLoss, isRtcp, parseFeedback } from './feedback.ts'

const nothing = { lost: [], wantsKeyframe: false, saysGoodbye: false }

test('lost packets are read from numbers and masks, around the end of the count', () => {
  const nack = buildNack(1, 2, [65_535])
  nack.writeUInt16BE(0b1000_0000_0000_0011, nack.length - 2)
  expect(parseFeedback(nack)).toEqual({ ...nothing, lost: [65_535, 0, 1, 15] })
})

test.each([
  ['a picture loss', buildPictureLoss(1, 2), { ...nothing, wantsKeyframe: true }],
  ['a goodbye', buildBye(1), { ...nothing, saysGoodbye: true }],
  ['a limit of bitrate', buildBitrateLimit(1, 2, 6_000_000), nothing],
  ['nothing', Buffer.alloc(0), nothing],
  ['a length that lies', Buffer.from('81cd00ff0000000100000002', 'hex'), nothing],
  ['another protocol', Buffer.from('not rtcp at all!'), nothing],
])('%s is read as what it is', (_name, packet, expected) => expect(parseFeedback(packet)).toEqual(expected))

test('one message asks for no more than a viewer can use', () => {
  const numbers = Array.from({ length: 2_000 }, (_, index) => index)
  expect(parseFeedback(buildNack(1, 2, numbers)).lost.length).toBe(512)
})

test('a limit of bitrate is written as mantissa and exponent', () => {
  const packet = buildBitrateLimit(1, 2, 6_000_000)
  const coded = packet.readUIntBE(packet.length - 7, 3)
  expect((coded & 0x3ffff) * 2 ** (coded >> 18)).toBeCloseTo(6_000_000, -2)
})

test('RTCP is distinguished from RTP', () => {
  expect(isRtcp(buildBye(1))).toBe(true)
  expect(isRtcp(Buffer.from('80e6000100000000', 'hex'))).toBe(false)
})
