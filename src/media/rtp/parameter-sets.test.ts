import { expect, test } from 'vitest'
import { buildPacket } from './packet.ts'
import { createParameterSets } from './parameter-sets.ts'

const header = { payloadType: 96, sequenceNumber: 1, timestamp: 1, ssrc: 1, marker: false }
const packetOf = (...units: number[][]) => buildPacket(header, ...units.map((unit) => Uint8Array.from(unit)))

const sps = [0x67, 0x64, 0, 0x1f, 0x80]
const otherSps = [0x67, 0x42, 0, 0x1f, 0x80]
const pps = [0x68, 0xee]
const secondPps = [0x68, 0x4e]

test('a set that comes alone is kept and reported once', () => {
  const sets = createParameterSets('h264')
  expect(sets.update(packetOf(sps))).toEqual([Buffer.from(sps)])
  expect(sets.update(packetOf(sps))).toBeUndefined()
  expect(sets.update(packetOf(pps))).toEqual([Buffer.from(sps), Buffer.from(pps)])
})

test('sets are found in an aggregation packet, and a new one takes the place of the announced one', () => {
  const sets = createParameterSets('h264', [Buffer.from(sps), Buffer.from(pps)])
  const aggregate = [[24], [0, otherSps.length], otherSps, [0, pps.length], pps, [0, 2, 0x65, 0x88]]
  expect(sets.update(packetOf(...aggregate))).toEqual([Buffer.from(otherSps), Buffer.from(pps)])
})

test('a set that is cut short in an aggregation packet is none', () => {
  const sets = createParameterSets('h264')
  expect(sets.update(packetOf([24], [0, sps.length], sps, [0, 9], pps))).toEqual([Buffer.from(sps)])
})

test('picture parameter sets with different ids stand side by side', () => {
  const sets = createParameterSets('h264', [Buffer.from(sps), Buffer.from(pps)])
  expect(sets.update(packetOf(secondPps))).toHaveLength(3)
})

test('H.265 sets come in the order VPS, SPS, PPS', () => {
  const sets = createParameterSets('h265')
  const [vps, sps265, pps265] = [
    [0x40, 1, 1],
    [0x42, 1, 2],
    [0x44, 1, 0xc0],
  ]
  sets.update(packetOf(pps265))
  const all = sets.update(packetOf([0x60, 1], [0, 3], sps265, [0, 3], vps))
  expect(all?.map((set) => set[0])).toEqual([0x40, 0x42, 0x44])
})

test.each([
  ['slices', packetOf([0x65, 1, 2])],
  ['an empty payload', packetOf()],
  ['an aggregate with a size past its end', packetOf([24, 0xff, 0xff, 0x41])],
  ['an aggregate of nothing', packetOf([24, 0, 0, 0, 0, 0])],
])('%s bring nothing', (_what, packet) => expect(createParameterSets('h264').update(packet)).toBeUndefined())

test('no stream makes it keep more than sixteen', () => {
  const sets = createParameterSets('h264')
  let newest: readonly Buffer[] | undefined
  for (let byte = 0; byte < 256; byte++) newest = sets.update(packetOf([0x68, 1 + (byte >> 4), byte])) ?? newest
  expect(newest!.length).toBeLessThanOrEqual(16)
})

test('of other codecs nothing is known', () => {
  expect(createParameterSets('opus').update(packetOf(sps))).toBeUndefined()
})
