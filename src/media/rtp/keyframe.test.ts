import { expect, test } from 'vitest'
import { type Codec } from '../stream.ts'
import { createKeyframeFinder } from './keyframe.ts'
import { buildPacket } from './packet.ts'

function packet(timestamp: number, payload: number[], marker = false): Buffer {
  return buildPacket({ payloadType: 96, sequenceNumber: 1, timestamp, ssrc: 1, marker }, Uint8Array.from(payload))
}

/** Which of these payloads, each a frame of its own, are keyframes. */
const starts = (codec: Codec, payloads: number[][]) => {
  const find = createKeyframeFinder(codec)
  return payloads.map((payload, index) => find(packet(index, payload)))
}

test.each<[string, Codec, number[]]>([
  ['an H.264 IDR slice', 'h264', [0x65, 0x88]],
  ['an SPS', 'h264', [0x67, 0x64]],
  ['the first fragment of an IDR slice', 'h264', [0x7c, 0x85, 0]],
  ['an aggregate that holds an SPS', 'h264', [0x78, 0, 2, 0x09, 0xf0, 0, 2, 0x67, 0x64]],
  ['an H.265 IDR', 'h265', [0x26, 1, 0]],
  ['a VPS', 'h265', [0x40, 1, 0]],
  ['the first fragment of a CRA', 'h265', [0x62, 1, 0x95]],
  ['an aggregate that holds a VPS', 'h265', [0x60, 1, 0, 2, 0x40, 1]],
])('%s is where decoding can begin', (_what, codec, payload) => expect(starts(codec, [payload])).toEqual([true]))

test.each<[string, Codec, number[]]>([
  ['an H.264 P slice', 'h264', [0x41, 0x9a]],
  ['a later fragment of an IDR slice', 'h264', [0x7c, 0x05, 0]],
  ['an aggregate with an empty unit', 'h264', [0x78, 0, 0, 0x67]],
  ['a byte', 'h264', [0x65]],
  ['an H.265 trailing picture', 'h265', [0x02, 1, 0]],
])('%s is not', (_what, codec, payload) => expect(starts(codec, [payload])).toEqual([false]))

test('the packets of one access unit are one beginning', () => {
  const find = createKeyframeFinder('h264')
  expect([packet(5, [0x67, 1]), packet(5, [0x68, 1]), packet(5, [0x65, 1])].map(find)).toEqual([true, false, false])
})

test('recovery points count once they come without keyframes', () => {
  const recovery = [0x06, 0x06, 0x01, 0xc4, 0x80]
  const afterUserData = [0x06, 0x05, 0x02, 1, 2, 0x06, 0x01, 0xc4, 0x80]
  const idr = [0x65, 0x88]
  expect(starts('h264', [idr, recovery, afterUserData, recovery, idr, recovery])).toEqual([
    true,
    false,
    true,
    true,
    true,
    false,
  ])
})

test('of an unknown codec each frame is a beginning', () => {
  const find = createKeyframeFinder('other')
  const packets = [packet(1, [1]), packet(1, [2], true), packet(2, [3], true), packet(3, [4])]
  expect(packets.map(find)).toEqual([true, false, true, true])
})
