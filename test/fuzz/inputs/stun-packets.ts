import { edgeNumber } from '../edge-numbers.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

const BINDING_REQUEST = 1
const MAGIC_COOKIE = 0x2112a442
/** RFC 8489 §14, RFC 8445 §16.1: the name, the priority, whose turn it is, and what shows that nobody changed them. */
const ATTRIBUTES = [
  { type: 0x0006, bytes: 9 },
  { type: 0x0024, bytes: 4 },
  { type: 0x802a, bytes: 8 },
  { type: 0x0025, bytes: 0 },
  { type: 0x0008, bytes: 20 },
  { type: 0x8028, bytes: 4 },
]

/** A binding request of somebody who knows the session’s name, with attributes that are changed, moved or not of their length. */
export function stunPacket(random: Random, username = 'abcd:efgh'): Buffer {
  const attributes = mutateOrder(ATTRIBUTES, random).map(({ type, bytes }) => {
    const value = type === 0x0006 ? Buffer.from(username, 'latin1') : random.bytes(bytes)
    return attribute(type, random.oneIn(8) ? mutate(value, random) : value, random)
  })
  const body = Buffer.concat(attributes)
  const header = Buffer.alloc(20)
  header.writeUInt16BE(random.oneIn(8) ? edgeNumber(random, 16) : BINDING_REQUEST)
  header.writeUInt16BE(random.oneIn(6) ? edgeNumber(random, 16) : body.length & 0xffff, 2)
  header.writeUInt32BE(random.oneIn(12) ? edgeNumber(random, 32) : MAGIC_COOKIE, 4)
  random.bytes(12).copy(header, 8)
  const packet = Buffer.concat([header, body])
  return random.oneIn(8) ? mutate(packet, random) : packet
}

function attribute(type: number, value: Buffer, random: Random): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  bytes.writeUInt16BE(random.oneIn(10) ? edgeNumber(random, 16) : type)
  bytes.writeUInt16BE(random.oneIn(10) ? edgeNumber(random, 16) : value.length & 0xffff, 2)
  value.copy(bytes, 4)
  return bytes
}

/** The beginning of a DTLS handshake (RFC 6347 §4), of which lengths and fragments may be wrong. */
export function dtlsRecord(random: Random): Buffer {
  const hello = Buffer.concat([Buffer.of(0xfe, 0xfd), random.bytes(32), Buffer.of(0, 0, 0, 2, 0xc0, 0x2b, 1, 0, 0, 0)])
  const handshake = Buffer.alloc(12)
  handshake[0] = random.oneIn(6) ? edgeNumber(random, 8) : 1
  handshake.writeUIntBE(random.oneIn(6) ? edgeNumber(random, 24) : hello.length, 1, 3)
  handshake.writeUIntBE(random.oneIn(6) ? edgeNumber(random, 24) : 0, 6, 3)
  handshake.writeUIntBE(random.oneIn(6) ? edgeNumber(random, 24) : hello.length, 9, 3)
  const body = Buffer.concat([handshake, hello])
  const length = random.oneIn(6) ? edgeNumber(random, 16) : body.length
  const head = [random.oneIn(6) ? random.below(64) : 22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, random.below(4)]
  const record = Buffer.concat([Buffer.of(...head, length >> 8, length & 0xff), body])
  return random.oneIn(6) ? mutate(record, random) : record
}

/** Frames of ICE by TCP (RFC 4571), of which some say that they are longer or shorter than they are. */
export function framedPackets(packets: readonly Buffer[], random: Random): Buffer {
  return Buffer.concat(
    packets.flatMap((packet) => {
      const length = random.oneIn(8) ? edgeNumber(random, 16) : packet.length & 0xffff
      return [Buffer.of(length >> 8, length & 0xff), packet]
    }),
  )
}
