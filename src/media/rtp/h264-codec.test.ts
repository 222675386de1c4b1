import { describe, expect, test } from 'vitest'
import { createH264Depacketizer, createH264Packetizer } from './h264-codec.ts'
import { buildPacket } from './packet.ts'

const SPS = Buffer.from('6742c01e', 'hex')
const PPS = Buffer.from('68cb83cb20', 'hex')
const IDR = Buffer.concat([Buffer.of(0x65, 0x88), Buffer.alloc(4000, 7)])
const slice = (fill: number) => Buffer.concat([Buffer.of(0x41, 0x9a), Buffer.alloc(3000, fill)])
const rest = Buffer.of(0x41, 0x1a, 1, 2, 3)

const packet = (sequenceNumber: number, timestamp: number, marker: boolean, ...payload: Buffer[]) =>
  buildPacket({ payloadType: 96, ssrc: 1, sequenceNumber, timestamp, marker }, ...payload)

describe('packets', () => {
  test('parameter sets share a STAP-A, and large slices go as FU-A', () => {
    const packets = createH264Packetizer({ payloadType: 96 })([SPS, PPS, IDR], 1)
    expect(packets.map((data) => data[12]! & 0x1f)).toEqual([24, 28, 28, 28])
    expect(packets[0]!.subarray(12).toString('hex')).toBe('78' + '0004' + '6742c01e' + '0005' + '68cb83cb20')
    expect(packets.slice(1).map((data) => data[13]!)).toEqual([0x85, 0x05, 0x45])
    expect(Math.max(...packets.map(({ length }) => length))).toBe(1400)
  })
})

describe('units', () => {
  test('end with the next timestamp where the sender forgets markers', () => {
    const depacketizer = createH264Depacketizer()
    expect(depacketizer.push(packet(1, 10, false, IDR))).toEqual([])
    expect(depacketizer.push(packet(2, 20, false, slice(1)))).toMatchObject([{ timestamp: 10, nalUnits: [IDR] }])
  })

  test('two may end with one packet: the one without marker, and the next', () => {
    const depacketizer = createH264Depacketizer()
    depacketizer.push(packet(1, 10, false, IDR))
    expect(depacketizer.push(packet(2, 20, true, slice(1)))).toHaveLength(2)
  })

  test('with a gap inside is dropped, and the next one says that something is missing', () => {
    const packetize = createH264Packetizer({ payloadType: 96 })
    const depacketizer = createH264Depacketizer()
    const [first, , ...others] = [...packetize([IDR], 1), ...packetize([slice(1)], 2), ...packetize([slice(2)], 3)]
    const units = [first!, ...others].flatMap((data) => depacketizer.push(data))
    expect(units).toMatchObject([
      { timestamp: 2, isAfterLoss: true },
      { timestamp: 3, isAfterLoss: false },
    ])
  })

  test('whose beginning may have been lost is dropped, too', () => {
    const depacketizer = createH264Depacketizer()
    depacketizer.push(packet(1, 10, true, IDR))
    expect(depacketizer.push(packet(3, 20, true, rest))).toEqual([])
    expect(depacketizer.push(packet(4, 30, true, slice(1)))).toMatchObject([{ timestamp: 30, isAfterLoss: true }])
  })

  test('a packet that comes twice or late is ignored', () => {
    const depacketizer = createH264Depacketizer()
    depacketizer.push(packet(1, 10, true, IDR))
    expect(depacketizer.push(packet(1, 10, true, IDR))).toEqual([])
    expect(depacketizer.push(packet(0, 5, true, IDR))).toEqual([])
    expect(depacketizer.push(packet(2, 20, true, slice(1)))).toMatchObject([{ isAfterLoss: false }])
  })

  test('a fragment without its start damages its unit only', () => {
    const depacketizer = createH264Depacketizer()
    expect(depacketizer.push(packet(1, 10, true, Buffer.of(0x7c, 0x45, 1, 2)))).toEqual([])
    expect(depacketizer.push(packet(2, 20, true, slice(1)))).toMatchObject([{ timestamp: 20, isAfterLoss: true }])
  })

  test('a unit over the limit is dropped, and what was kept of it is let go', () => {
    const depacketizer = createH264Depacketizer(10_000)
    for (let i = 0; i < 5; i++) expect(depacketizer.push(packet(i, 10, i === 4, slice(i)))).toEqual([])
    expect(depacketizer.push(packet(5, 20, true, slice(1)))).toMatchObject([{ timestamp: 20, isAfterLoss: true }])
  })

  test('a unit of very many tiny parts is dropped', () => {
    const depacketizer = createH264Depacketizer()
    const tiny = Buffer.concat([Buffer.of(24), ...Array<Buffer>(400).fill(Buffer.of(0, 1, 0x41))])
    for (let i = 0; i < 50; i++) expect(depacketizer.push(packet(i, 10, i === 49, tiny))).toEqual([])
  })

  test.each([
    { name: 'an aggregate whose size runs past the end', payload: Buffer.of(24, 0, 9, 0x41) },
    { name: 'a fragment that is start and end at once', payload: Buffer.of(28, 0xc5, 1) },
    { name: 'an interleaved packet, which mode 1 has not', payload: Buffer.of(25, 0, 0, 1) },
  ])('$name yields nothing', ({ payload }) => {
    expect(createH264Depacketizer().push(packet(1, 1, true, payload))).toEqual([])
  })
})
