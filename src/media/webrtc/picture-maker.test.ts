import { expect, test } from 'vitest'
import { createH264Depacketizer, createH264Packetizer, describeH264Track } from '../rtp/h264-codec.ts'
import { h264Type } from '../rtp/h264-nal-unit.ts'
import { createPictureMaker } from './picture-maker.ts'

const sps = Buffer.from('Z2QAH6zZQFAFuhAAAAMAEAAAAwPA8YMZYA==', 'base64')
const pps = Buffer.from('aOvjyyLA', 'base64')
const unit = (type: number, bytes: number) => Buffer.concat([Buffer.of(0x60 | type, 0x80), Buffer.alloc(bytes, type)])

/** What a camera would send by TCP, where packets may be large. */
function createRig(sets: readonly Buffer[] = [sps, pps]) {
  const camera = createH264Packetizer({ payloadType: 96, mtu: 20_000 })
  const maker = createPictureMaker(0, describeH264Track(96, sets))
  const push = (nalUnits: Buffer[], timestamp: number) =>
    camera(nalUnits, timestamp).flatMap((packet) => maker.push(packet))
  return { maker, push }
}

const typesOf = (packets: readonly Buffer[]) => {
  const depacketizer = createH264Depacketizer()
  return packets.flatMap((packet) => depacketizer.push(packet)).map(({ nalUnits }) => nalUnits.map(h264Type))
}

test('large packets become small ones, of the same picture', () => {
  const [frame] = createRig().push([sps, pps, unit(5, 15_000)], 3000)
  expect(frame).toMatchObject({ timestamp: 3000, isKeyframe: true })
  expect(frame!.packets.length).toBeGreaterThan(12)
  expect(Math.max(...frame!.packets.map(({ length }) => length))).toBeLessThanOrEqual(1200)
  expect(typesOf(frame!.packets)).toEqual([[7, 8, 5]])
})

test.each([
  { name: 'that has none', given: [unit(5, 100)], expected: [7, 8, 5] },
  { name: 'that has its own', given: [sps, pps, unit(5, 100)], expected: [7, 8, 5] },
  { name: 'behind a delimiter', given: [unit(9, 1), unit(5, 100)], expected: [9, 7, 8, 5] },
])('parameter sets come with a keyframe $name', ({ given, expected }) => {
  expect(typesOf(createRig().push(given, 1)[0]!.packets)).toEqual([expected])
})

test('other pictures stay as they are', () => {
  const [frame] = createRig().push([unit(1, 100)], 1)
  expect(frame!.isKeyframe).toBe(false)
  expect(typesOf(frame!.packets)).toEqual([[1]])
})

test('pictures that go back in time are known as reordered', () => {
  const { maker, push } = createRig([Buffer.of(0x67, 77, 0, 31), pps])
  push([unit(5, 10)], 2 ** 32 - 3000)
  push([unit(1, 10)], 6000)
  expect(maker.hasReorderedPictures).toBeUndefined()
  push([unit(1, 10)], 3000)
  expect(maker.hasReorderedPictures).toBe(true)
})
