import { type Packet } from 'node-av'
import { expect, test } from 'vitest'
import { type PacketPart } from '../picture.ts'
import { createHeldPackets } from './held-packets.ts'

function setUp() {
  let nowMs = 0
  let open = 0
  const held = createHeldPackets(() => nowMs)

  function aPart(name: number, { isKeyframe = false, size = 100 } = {}): PacketPart {
    const copy = { pts: BigInt(name), size, free: () => void open-- }
    const packet = { ...copy, clone: () => (open++, copy) } as unknown as Packet
    return { kind: 'packet', packet, isKeyframe, times: null }
  }

  /** Decodes what is held, each packet in so many milliseconds. */
  function decode(ms: number): number[] {
    const names: number[] = []
    for (const { packet } of held.take()) {
      names.push(Number(packet.pts))
      nowMs += ms
    }
    return names
  }

  return { held, aPart, decode, open: () => open }
}

test('what is taken is in order, and nothing is left', () => {
  const { held, aPart, decode, open } = setUp()
  for (const name of [1, 2, 3]) expect(held.hold(aPart(name))).toEqual([])
  expect(open()).toBe(3)
  expect(decode(1)).toEqual([1, 2, 3])
  expect([held.left, open()]).toEqual([0, 0])
  expect(decode(1)).toEqual([])
})

test('a keyframe replaces those before it', () => {
  const { held, aPart, decode, open } = setUp()
  for (const name of [1, 2]) held.hold(aPart(name))
  expect(held.hold(aPart(3, { isKeyframe: true }))).toHaveLength(2)
  held.hold(aPart(4))
  expect(open()).toBe(2)
  expect(decode(1)).toEqual([3, 4])
})

test('what decoding takes is known, without the time that others had the core', () => {
  const { held, aPart, decode } = setUp()
  for (let round = 0; round < 500; round++) {
    held.hold(aPart(round))
    decode(round % 5 === 0 ? 30 : 3)
  }
  expect(held.decodingMsOf({ isKeyframe: false })).toBeGreaterThanOrEqual(3)
  // The mean is 8.4.
  expect(held.decodingMsOf({ isKeyframe: false })).toBeLessThan(5)
})

test('what keyframes take is not taken for what others do', () => {
  const { held, aPart, decode } = setUp()
  expect(held.decodingMsOf({ isKeyframe: false })).toBe(0)
  held.hold(aPart(0))
  decode(2)
  for (let round = 0; round < 500; round++) {
    held.hold(aPart(round, { isKeyframe: true }))
    decode(40)
  }
  expect([held.decodingMsOf({ isKeyframe: true }), held.decodingMsOf({ isKeyframe: false })]).toEqual([40, 2])
})

test('no more are held than can soon be decoded, nor more than there is memory for', () => {
  const { held, aPart } = setUp()
  for (let name = 0; name < 4; name++) held.hold(aPart(name, { size: 2 ** 20 - 1 }))
  expect(held.isFull).toBe(false)
  held.hold(aPart(4))
  expect(held.isFull).toBe(true)
  held.clear()
  for (let name = 0; name < 119; name++) held.hold(aPart(name))
  expect(held.isFull).toBe(false)
  held.hold(aPart(119))
  expect(held.isFull).toBe(true)
})

test('a decoder that fails leaves no packet behind', () => {
  const { held, aPart, open } = setUp()
  for (const name of [1, 2]) held.hold(aPart(name))
  expect(() => {
    for (const part of held.take()) throw new Error(`unusable: ${part.packet.pts}`)
  }).toThrow('unusable: 1')
  expect(open()).toBe(0)
})
