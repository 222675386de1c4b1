import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { decodeFrame, encodeFrame, type Frame, SEAL_BYTES } from './frame.ts'

/**
 * Frames on their way: numbered, and encrypted with keys of this tunnel alone (AES-256-GCM, a key for each direction, the number as its
 * nonce). What is passed on holds keys and cookies, and others may be connected to the same NATS: without the service's secret they can
 * neither read a frame nor make one.
 */
export interface Seal {
  /** Each call is the next number: what was sealed must be sent, and in this order. */
  seal(frame: Frame): Buffer
  /** What came: a frame; `gap` when one before it was lost; undefined for what the other end did not send, or what was here already. */
  open(message: Uint8Array): Frame | 'gap' | undefined
}

export interface SealKeys {
  readonly send: Buffer
  readonly receive: Buffer
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const TAG_BYTES = 16
/** Large enough for ever. */
const NUMBER_BYTES = 6
const NONCE_BYTES = 12

/** Both ends have put something random into it, so no two tunnels have the same keys. */
export function deriveKeys(secret: string, salt: string, role: 'opener' | 'acceptor'): SealKeys {
  const key = (name: string) => Buffer.from(hkdfSync('sha256', secret, salt, `aerie tunnel v1 ${name}`, KEY_BYTES))
  const [ofOpener, ofAcceptor] = [key('from opener'), key('from acceptor')]
  return role === 'opener' ? { send: ofOpener, receive: ofAcceptor } : { send: ofAcceptor, receive: ofOpener }
}

export function createSeal({ send, receive }: SealKeys): Seal {
  let sent = 0
  let received = 0

  return {
    seal(frame) {
      const nonce = nonceOf(sent++)
      const cipher = createCipheriv(CIPHER, send, nonce)
      const encrypted = cipher.update(encodeFrame(frame))
      cipher.final()
      return Buffer.concat([nonce.subarray(-NUMBER_BYTES), encrypted, cipher.getAuthTag()])
    },
    open(message) {
      if (message.length <= SEAL_BYTES) return undefined
      const sealed = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
      const number = sealed.readUIntBE(0, NUMBER_BYTES)
      if (number < received) return undefined
      const decipher = createDecipheriv(CIPHER, receive, nonceOf(number))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const encoded = decipher.update(sealed.subarray(NUMBER_BYTES, -TAG_BYTES))
      try {
        decipher.final()
      } catch {
        return undefined
      }
      if (number > received) return 'gap'
      received += 1
      return decodeFrame(encoded)
    },
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(number, NONCE_BYTES - NUMBER_BYTES, NUMBER_BYTES)
  return nonce
}
