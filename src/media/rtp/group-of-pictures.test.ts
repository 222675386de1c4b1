import { expect, test } from 'vitest'
import { type MediaPacket } from '../stream.ts'
import { createGroupOfPictures } from './group-of-pictures.ts'

const packet = (bytes: number, startsKeyframe = false): MediaPacket => ({
  track: 0,
  data: Buffer.alloc(bytes),
  timestamp: 0,
  marker: false,
  startsKeyframe,
  receivedAtMs: 0,
})

function groupOf(packetBytes: number, count: number) {
  const group = createGroupOfPictures()
  group.add(packet(packetBytes, true))
  const one = packet(packetBytes)
  for (let i = 1; i < count; i++) group.add(one)
  return group
}

test.each([
  { name: 'a large keyframe and the pictures after it are kept', packetBytes: 1_400, count: 10_000, kept: 10_000 },
  { name: 'too many bytes are let go', packetBytes: 1_400, count: 13_000, kept: 0 },
  { name: 'and so are too many packets, be they empty', packetBytes: 12, count: 100_000, kept: 0 },
])('$name', ({ packetBytes, count, kept }) => expect(groupOf(packetBytes, count).packets()).toHaveLength(kept))

test('the next keyframe begins a group again', () => {
  const group = groupOf(12, 100_000)
  group.add(packet(12))
  expect(group.packets()).toHaveLength(0)
  group.add(packet(12, true))
  group.add(packet(12))
  expect(group.packets()).toHaveLength(2)
})
