import { randomFillSync } from 'node:crypto'
import { createHandshake, type Handshake, PACKET_BYTES, VERSION } from '../wire/handshake.ts'

/**
 * The server's side of the handshake. The digest that newer clients hide in C1 is not looked at; a version field of zeros
 * in S1 means that the simple form is spoken here.
 */
export function createServerHandshake(): Handshake {
  return createHandshake(greet)
}

/** S0, S1 and S2 in one. */
function greet(c1: Buffer): Buffer {
  const reply = Buffer.alloc(1 + 2 * PACKET_BYTES)
  reply[0] = VERSION
  randomFillSync(reply, 9, PACKET_BYTES - 8)
  c1.copy(reply, 1 + PACKET_BYTES)
  return reply
}
