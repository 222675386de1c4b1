import { randomFillSync } from 'node:crypto'
import { PACKET_BYTES, VERSION } from '../rtmp-client/client-handshake.ts'
import { RtmpProtocolError } from '../rtmp-client/message.ts'

/**
 * The server's side of the handshake (RTMP 1.0 §5.2): bytes in, bytes out. The digest that newer clients hide in C1 is
 * not looked at; a version field of zeros in S1 tells them that the simple form is spoken here.
 */
export interface Handshake {
  /** What to answer now, and once all is said, the bytes that already belong to the chunk stream. */
  push(data: Buffer): { readonly reply?: Buffer; readonly rest?: Buffer }
}

export function createHandshake(): Handshake {
  // At most C0, C1 and C2 together are ever kept.
  let received = Buffer.alloc(0)
  let hasReplied = false

  return {
    push(data) {
      received = Buffer.concat([received, data])
      // Whoever speaks something else, HTTP for one, shows it with the first byte.
      if (received.length > 0 && received[0] !== VERSION) {
        throw new RtmpProtocolError('This is not RTMP: the first byte is not version 3.')
      }
      const isGreeted = received.length >= 1 + PACKET_BYTES
      const reply = isGreeted && !hasReplied ? greet(received.subarray(1, 1 + PACKET_BYTES)) : undefined
      hasReplied ||= isGreeted
      if (received.length < 1 + 2 * PACKET_BYTES) return { reply }
      // C2 should echo S1; clients with a digest put their own there.
      return { reply, rest: received.subarray(1 + 2 * PACKET_BYTES) }
    },
  }
}

/** S0, S1 and S2 in one. */
function greet(c1: Buffer): Buffer {
  const reply = Buffer.alloc(1 + 2 * PACKET_BYTES)
  reply[0] = VERSION
  randomFillSync(reply, 9, PACKET_BYTES - 8)
  c1.copy(reply, 1 + PACKET_BYTES)
  return reply
}
