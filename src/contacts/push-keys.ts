import { createECDH } from 'node:crypto'

const KEY_BYTES = 65
const AUTH_BYTES = 16

/** Whether messages to a browser can be encrypted with these: a point of P-256, and 16 bytes (RFC 8291 §3). */
export function arePushKeys({ p256dh, auth }: { readonly p256dh: string; readonly auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== KEY_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(point)
    return true
  } catch {
    return false
  }
}
