import { expect, test } from 'vitest'
import { createH265Depacketizer, createH265Packetizer } from './h265-codec.ts'

const VPS = Buffer.from('40010c01ffff', 'hex')
const SPS = Buffer.from('420101016000', 'hex')
const PPS = Buffer.from('4401c172b46240', 'hex')
const IDR = Buffer.concat([Buffer.of(0x26, 0x01, 0xaf), Buffer.alloc(4000, 7)])

test('parameter sets share an aggregation packet, and large slices are fragmented', () => {
  const packets = createH265Packetizer({ payloadType: 96 })([VPS, SPS, PPS, IDR], 1)
  expect(packets.map((data) => (data[12]! >> 1) & 0x3f)).toEqual([48, 49, 49, 49])
  expect(packets[0]!.subarray(12, 22).toString('hex')).toBe('6001' + '0006' + '40010c01ffff')
  expect(packets.slice(1).map((data) => data[14]!)).toEqual([0x80 | 19, 19, 0x40 | 19])
})

test('a lost fragment costs its unit', () => {
  const packetize = createH265Packetizer({ payloadType: 96 })
  const depacketizer = createH265Depacketizer()
  const [first, , ...others] = [...packetize([IDR], 1), ...packetize([IDR], 2)]
  const units = [first!, ...others].flatMap((data) => depacketizer.push(data))
  expect(units).toEqual([{ timestamp: 2, nalUnits: [IDR], isAfterLoss: true }])
})
