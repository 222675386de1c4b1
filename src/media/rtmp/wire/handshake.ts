import { RtmpProtocolError } from './message.ts'

/** The simple form of the handshake (RTMP 1.0 §5.2), the same from both sides: bytes in, bytes out. */
export interface Handshake {
  /** What to answer now, and once all is said, the bytes that already belong to the chunk stream. */
  push(data: Buffer): { readonly reply?: Buffer; readonly rest?: Buffer }
}

export const VERSION = 3
export const PACKET_BYTES = 1536

/** Reads the peer's version and its two packets. The second should repeat what was sent; nobody depends on it. */
export function createHandshake(answer: (firstPacket: Buffer) => Buffer): Handshake {
  // At most the version and both packets together are ever kept.
  let received = Buffer.alloc(0)
  let hasReplied = false

  return {
    push(data) {
      received = Buffer.concat([received, data])
      // A peer that speaks something else, HTTP for one, shows it with the first byte.
      if (received.length > 0 && received[0] !== VERSION) {
        throw new RtmpProtocolError('This is not RTMP: the first byte is not version 3.')
      }
      const isGreeted = received.length >= 1 + PACKET_BYTES
      const reply = isGreeted && !hasReplied ? answer(received.subarray(1, 1 + PACKET_BYTES)) : undefined
      hasReplied ||= isGreeted
      if (received.length < 1 + 2 * PACKET_BYTES) return { reply }
      return { reply, rest: received.subarray(1 + 2 * PACKET_BYTES) }
    },
  }
}
