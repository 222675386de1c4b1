import { expect, test } from 'vitest'
import { publishPacket } from '../../test/support/hostile-broker.ts'
import { createPacketHeads, type PacketHead } from './packet-heads.ts'

const short = Buffer.from([0xd0, 0])
const long = publishPacket('t', 'x'.repeat(300), 1)
const bytes = Buffer.concat([short, long, short])
const heads: PacketHead[] = [
  { kind: 13, flags: 0, bytes: 2, bodyBytes: 0 },
  { kind: 3, flags: 1, bytes: 306, bodyBytes: 303 },
  { kind: 13, flags: 0, bytes: 2, bodyBytes: 0 },
]

function read(chunks: readonly Buffer[], maxPackets = 100) {
  const found: PacketHead[] = []
  const cut = createPacketHeads((head) => found.push(head), maxPackets)
  return { pieces: chunks.map(cut), found }
}

test('packets are separated wherever the chunks are split', () => {
  for (let at = 1; at < bytes.length; at++) {
    const { found, pieces } = read([bytes.subarray(0, at), bytes.subarray(at)])
    expect(found).toEqual(heads)
    expect(Buffer.concat(pieces.flat())).toEqual(bytes)
  }
})

test.each([1, 2, 3, 7])('a piece has at most %i packets, and nothing is lost', (maxPackets) => {
  const chunk = Buffer.concat(Array<Buffer>(10).fill(bytes))
  const [pieces] = read([chunk], maxPackets).pieces
  expect(Buffer.concat(pieces!)).toEqual(chunk)
  expect(pieces).toHaveLength(Math.ceil(30 / maxPackets))
  for (const piece of pieces!) expect(read([piece]).found.length).toBeLessThanOrEqual(maxPackets)
})

test('a packet is known by its header, before the rest of it is there', () => {
  expect(read([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])]).found).toEqual([
    { kind: 3, flags: 0, bytes: 268_435_460, bodyBytes: 268_435_455 },
  ])
})

test('a length of more than four bytes is no MQTT', () => {
  expect(() => read([Buffer.from([0x30, 0x80, 0x80, 0x80]), Buffer.from([0x80])])).toThrow('not MQTT')
})
