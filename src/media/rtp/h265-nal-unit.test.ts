import { expect, test } from 'vitest'
import { isH265ClosedIrap, isH265Irap } from './h265-nal-unit.ts'
import { createKeyframeFinder } from './keyframe.ts'
import { buildPacket } from './packet.ts'

/** By packet and by NAL unit. */
function isKeyframe(nalUnit: Buffer): boolean[] {
  const packet = buildPacket({ payloadType: 96, sequenceNumber: 1, timestamp: 1, ssrc: 1, marker: true }, nalUnit)
  return [createKeyframeFinder('h265')(packet), isH265Irap(nalUnit)]
}

test.each([
  { type: 1, name: 'a trailing picture', expected: false },
  { type: 9, name: 'a leading picture', expected: false },
  { type: 15, name: 'the last type before', expected: false },
  { type: 16, name: 'BLA_W_LP', expected: true },
  { type: 19, name: 'IDR_W_RADL', expected: true },
  { type: 21, name: 'CRA_NUT', expected: true },
  { type: 22, name: 'the first reserved type', expected: false },
  { type: 23, name: 'the second reserved type', expected: false },
])('$name ($type) begins a stream: $expected, by packets and by units alike', ({ type, expected }) => {
  expect(isKeyframe(Buffer.of(type << 1, 1, 0x80, 0))).toEqual([expected, expected])
})

test.each([
  { type: 1, name: 'a trailing picture', expected: false },
  { type: 16, name: 'BLA_W_LP', expected: true },
  { type: 20, name: 'IDR_N_LP', expected: true },
  { type: 21, name: 'CRA_NUT', expected: false },
])('nothing after $name ($type) refers past it: $expected', ({ type, expected }) => {
  expect(isH265ClosedIrap(Buffer.of(type << 1, 1, 0x80, 0))).toBe(expected)
})
