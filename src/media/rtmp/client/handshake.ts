import { randomFillSync } from 'node:crypto'
import { createHandshake, type Handshake, PACKET_BYTES, VERSION } from '../wire/handshake.ts'

export interface ClientHandshake extends Handshake {
  /** C0 and C1, to be sent first. */
  readonly greeting: Buffer
}

export function createClientHandshake(): ClientHandshake {
  // A version field of zeros in C1 says that there is no digest in it.
  const greeting = Buffer.alloc(1 + PACKET_BYTES)
  greeting[0] = VERSION
  randomFillSync(greeting, 9)
  // C2 repeats S1, and goes out before S2 is here: some servers wait for it.
  return { greeting, ...createHandshake((s1) => Buffer.from(s1)) }
}
