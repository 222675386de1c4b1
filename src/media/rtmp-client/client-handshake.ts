import { randomFillSync } from 'node:crypto'
import { RtmpProtocolError } from './message.ts'

export const VERSION = 3
export const PACKET_BYTES = 1536

/** The client's side of the handshake (RTMP 1.0 §5.2), in its simple form: bytes in, bytes out. */
export interface ClientHandshake {
  /** C0 and C1, to be sent first. */
  readonly greeting: Buffer
  /** What to answer now, and once all is said, the bytes that already belong to the chunk stream. */
  push(data: Buffer): { readonly reply?: Buffer; readonly rest?: Buffer }
}

export function createClientHandshake(): ClientHandshake {
  // A version field of zeros in C1 says that there is no digest in it.
  const greeting = Buffer.alloc(1 + PACKET_BYTES)
  greeting[0] = VERSION
  randomFillSync(greeting, 9)
  // At most S0, S1 and S2 together are ever kept.
  let received = Buffer.alloc(0)
  let hasReplied = false

  return {
    greeting,
    push(data) {
      received = Buffer.concat([received, data])
      if (received.length > 0 && received[0] !== VERSION) {
        throw new RtmpProtocolError('This is not RTMP: the first byte is not version 3.')
      }
      // C2 repeats S1, and goes out before S2 is here: some servers wait for it.
      const isGreeted = received.length >= 1 + PACKET_BYTES
      const reply = isGreeted && !hasReplied ? Buffer.from(received.subarray(1, 1 + PACKET_BYTES)) : undefined
      hasReplied ||= isGreeted
      if (received.length < 1 + 2 * PACKET_BYTES) return { reply }
      // S2 should repeat C1; nobody depends on it.
      return { reply, rest: received.subarray(1 + 2 * PACKET_BYTES) }
    },
  }
}
