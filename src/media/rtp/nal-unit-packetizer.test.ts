import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AccessUnit, type Depacketizer } from './access-unit.ts'
import { createH264Depacketizer, createH264Packetizer } from './h264-codec.ts'
import { createH265Depacketizer, createH265Packetizer } from './h265-codec.ts'
import { parseHeader } from './packet.ts'

/** Bytes that differ along the way, of a size around and above the MTU or far below. */
const body = fc
  .tuple(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 4500 })), fc.nat(255))
  .map(([length, first]) => Uint8Array.from({ length }, (_, index) => (first + index * 7) & 0xff))
const h264Unit = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 23 }), body)
  .map(([importance, type, rest]) => Buffer.from([(importance << 5) | type, ...rest]))
const h265Unit = fc
  .tuple(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 0, max: 63 }), fc.integer({ min: 1, max: 7 }), body)
  .map(([type, layer, temporal, rest]) =>
    Buffer.from([(type << 1) | (layer >> 5), ((layer & 31) << 3) | temporal, ...rest]),
  )

const CODECS = [
  { codec: 'H.264', unit: h264Unit, packetizer: createH264Packetizer, depacketizer: createH264Depacketizer },
  { codec: 'H.265', unit: h265Unit, packetizer: createH265Packetizer, depacketizer: createH265Depacketizer },
]

describe.each(CODECS)('$codec', ({ unit, packetizer, depacketizer }) => {
  const pictures = fc.array(fc.array(unit, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 })

  test('what was packetized comes back as it was', () => {
    fc.assert(
      fc.property(pictures, fc.integer({ min: 100, max: 1500 }), (input, mtu) => {
        const packetize = packetizer({ payloadType: 96, ssrc: 1, firstSequenceNumber: 65_530, mtu })
        const packets = input.flatMap((nalUnits, index) => packetize(nalUnits, index * 3000))
        expect(Math.max(...packets.map(({ length }) => length))).toBeLessThanOrEqual(mtu)
        const output = pushAll(depacketizer(), packets)
        expect(output.map(({ nalUnits }) => inHex(nalUnits))).toEqual(input.map(inHex))
        expect(output.map(({ timestamp }) => timestamp)).toEqual(input.map((_, index) => index * 3000))
        expect(output.some(({ isAfterLoss }) => isAfterLoss)).toBe(false)
      }),
    )
  })

  test('after losses, repeats and reordering whole units come out, or the end of one that says so', () => {
    const mishaps = fc.array(fc.constantFrom('keep', 'keep', 'keep', 'drop', 'repeat', 'swap'), { maxLength: 60 })
    fc.assert(
      fc.property(pictures, mishaps, (input, fates) => {
        const packetize = packetizer({ payloadType: 96, firstSequenceNumber: 7, mtu: 200 })
        const [first, ...packets] = input.flatMap((nalUnits, index) => packetize(nalUnits, index))
        const output = pushAll(depacketizer(), [first!, ...damage(packets, fates)])
        for (const { timestamp, nalUnits, isAfterLoss } of output) {
          const original = inHex(input[timestamp]!)
          if (isAfterLoss) expect(original.slice(original.length - nalUnits.length)).toEqual(inHex(nalUnits))
          else expect(inHex(nalUnits)).toEqual(original)
        }
      }),
    )
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 40 }), (chunks) => {
        pushAll(
          depacketizer(),
          chunks.map((bytes, index) => Buffer.concat([Buffer.of(0x80, 96, 0, index), Buffer.from(bytes)])),
        )
      }),
    )
  })

  test('the marker is on the last packet only, and numbers follow each other', () => {
    const packets = packetizer({ payloadType: 96, firstSequenceNumber: 0xffff })(
      [Buffer.alloc(5000, 0x41), Buffer.alloc(100, 0x41)],
      1,
    )
    const headers = packets.map((packet) => parseHeader(packet)!)
    expect(headers.map(({ marker }) => marker)).toEqual([...Array<boolean>(packets.length - 1).fill(false), true])
    expect(headers.map(({ sequenceNumber }) => sequenceNumber)).toEqual([0xffff, 0, 1, 2, 3].slice(0, packets.length))
  })

  test('nothing comes of empty units', () => {
    expect(packetizer({ payloadType: 96 })([Buffer.alloc(0)], 1)).toEqual([])
  })
})

/** Comparing strings is many times faster than comparing buffers byte by byte. */
const inHex = (nalUnits: readonly Buffer[]) => nalUnits.map((nalUnit) => nalUnit.toString('hex'))

function pushAll(depacketizer: Depacketizer, packets: readonly Buffer[]): AccessUnit[] {
  return packets.flatMap((packet) => depacketizer.push(packet))
}

function damage(packets: readonly Buffer[], fates: readonly string[]): Buffer[] {
  const result: Buffer[] = []
  for (const [index, packet] of packets.entries()) {
    const fate = fates[index] ?? 'keep'
    if (fate !== 'drop') result.push(packet)
    if (fate === 'repeat') result.push(packet)
    if (fate === 'swap' && result.length > 1) result.push(result.splice(-2, 1)[0]!)
  }
  return result
}
