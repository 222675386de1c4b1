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
  { name: 'and so are too many packets, be they empty', packetBytes: 12, count: 16_385, kept: 0 },
  { name: 'a kilobyte each is not too many', packetBytes: 750, count: 16_384, kept: 16_384 },
])('$name', ({ packetBytes, count, kept }) => expect(groupOf(packetBytes, count).packets()).toHaveLength(kept))

test('the next keyframe begins a group again', () => {
  const group = groupOf(12, 100_000)
  group.add(packet(12))
  expect(group.packets()).toHaveLength(0)
  group.add(packet(12, true))
  group.add(packet(12))
  expect(group.packets()).toHaveLength(2)
})

test.each([
  { name: 'with their ends marked', marker: true, ticks: 3_000 },
  { name: 'with their ends marked, all of one time', marker: true, ticks: 0 },
  { name: 'by their times alone', marker: false, ticks: 3_000 },
])('too many frames are let go, $name', ({ marker, ticks }) => {
  const group = createGroupOfPictures()
  const add = (i: number) => group.add({ ...packet(12, i === 0), marker, timestamp: i * ticks })
  for (let i = 0; i < 4_096; i++) add(i)
  expect(group.packets()).toHaveLength(4_096)
  add(4_096)
  expect(group.packets()).toHaveLength(0)
})

test('frames of many packets count once, though tracks take turns', () => {
  const group = createGroupOfPictures()
  group.add(packet(12, true))
  for (let frame = 1; frame <= 1_000; frame++)
    for (let i = 0; i < 10; i++) group.add({ ...packet(12), track: i % 2, timestamp: frame * 3_000, marker: i >= 8 })
  expect(group.packets()).toHaveLength(10_001)
})
