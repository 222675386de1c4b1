/** STUN (RFC 8489) as far as finding a browser's session needs it; the rest is read by the WebRTC library. */

const HEADER_BYTES = 20
const BINDING_REQUEST = 1
const MAGIC_COOKIE = 0x2112a442
const USERNAME = 6

/** RFC 8489 §5: the magic cookie; RFC 7983 §7: what else comes by the same port begins with greater bytes. */
export function isStun(packet: Buffer): boolean {
  return packet.length >= HEADER_BYTES && packet[0]! < 4 && packet.readUInt32BE(4) === MAGIC_COOKIE
}

/**
 * The name that the receiver of a binding request gave the session (`a=ice-ufrag` of its description), which stands first in the
 * USERNAME (RFC 8445 §7.2.2); undefined when it is no such request.
 */
export function sessionNamedBy(packet: Buffer): string | undefined {
  if (!isStun(packet) || packet.readUInt16BE(0) !== BINDING_REQUEST) return undefined
  for (let at = HEADER_BYTES; at + 4 <= packet.length;) {
    const type = packet.readUInt16BE(at)
    const end = at + 4 + packet.readUInt16BE(at + 2)
    if (end > packet.length) return undefined
    if (type === USERNAME) return packet.toString('latin1', at + 4, end).split(':')[0]
    // Attributes are padded to four bytes (§14).
    at = (end + 3) & ~3
  }
  return undefined
}
