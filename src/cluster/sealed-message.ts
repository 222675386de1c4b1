import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Messages between nodes, encrypted and signed by the secret of the service: they hold links with tokens, and who else is connected to
 * the same NATS can neither read nor make one. `purpose` is what a message is for; sealed for one, it is none for another.
 */
export function sealMessage(secret: string, purpose: string, message: unknown): Buffer {
  const salt = randomBytes(SALT_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(secret, salt), NONCE).setAAD(Buffer.from(purpose))
  const encrypted = cipher.update(JSON.stringify(message))
  cipher.final()
  return Buffer.concat([salt, encrypted, cipher.getAuthTag()])
}

/** What was said; undefined when somebody else has made it, or for another purpose. */
export function openMessage(secret: string, purpose: string, sealed: Uint8Array): unknown {
  if (sealed.length <= SALT_BYTES + TAG_BYTES) return undefined
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const key = keyOf(secret, bytes.subarray(0, SALT_BYTES))
  const decipher = createDecipheriv(CIPHER, key, NONCE).setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const message = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return JSON.parse(message.toString())
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
/** In front of a sealed message: no two have the same. */
export const SALT_BYTES = 16
const TAG_BYTES = 16
/** Each message has a key of its own. */
const NONCE = Buffer.alloc(12)

function keyOf(secret: string, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, 'aerie message v1', KEY_BYTES))
}
