import { createHmac, randomBytes } from 'node:crypto'

const attribute = (type: number, value: Buffer): Buffer => {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  bytes.writeUInt16BE(type)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, 4)
  return bytes
}

/** A binding request of ICE (RFC 8445 §7.2.2): by whom knows the password the library is made to answer. */
export function stunRequest(username: string, password?: string): Buffer {
  const attributes = [
    attribute(0x0006, Buffer.from(username)),
    attribute(0x0024, Buffer.from([0x6e, 0, 1, 0xff])),
    attribute(0x802a, randomBytes(8)),
  ]
  const header = Buffer.alloc(20)
  header.writeUInt16BE(1)
  header.writeUInt32BE(0x2112a442, 4)
  randomBytes(12).copy(header, 8)
  const bytes = () => Buffer.concat([header, ...attributes])
  header.writeUInt16BE(bytes().length - 20, 2)
  if (password === undefined) return bytes()
  // The length counts the integrity already (RFC 8489 §14.5).
  header.writeUInt16BE(bytes().length - 20 + 24, 2)
  attributes.push(attribute(0x0008, createHmac('sha1', password).update(bytes()).digest()))
  return bytes()
}

/** Behind its length, as it goes by TCP (RFC 4571). */
export const framed = (...packets: readonly Buffer[]): Buffer =>
  Buffer.concat(packets.flatMap((packet) => [Buffer.from([packet.length >> 8, packet.length & 0xff]), packet]))
