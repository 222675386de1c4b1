import { createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

/** By what push services know who sends (RFC 8292). */
export interface Vapid {
  /** base64url: what browsers are given when they subscribe. */
  readonly publicKey: string
  /** Of a request to this service, whose origin it is bound to. */
  authorization(endpoint: URL, nowMs: number): string
}

/** The longest that is allowed is a day (§2). */
const VALID_MS = 12 * 3_600_000
const MAX_TRIES = 8

/** The key follows from the secret of the service: it is the same on all its nodes, and nothing more is kept on the disk. */
export function createVapid(secret: string, subject: () => string): Vapid {
  const pair = keyOf(secret)
  const publicKey = pair.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: pair.getPrivateKey().toString('base64url'),
      x: publicKey.subarray(1, 33).toString('base64url'),
      y: publicKey.subarray(33).toString('base64url'),
    },
  })
  const shown = publicKey.toString('base64url')

  return {
    publicKey: shown,
    authorization({ origin }, nowMs) {
      const claims = { aud: origin, exp: Math.floor((nowMs + VALID_MS) / 1000), sub: subject() }
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims].map(encoded).join('.')
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${shown}`
    },
  }
}

/** Not every number is one of the curve's; that one of these is not happens once in 2^32. */
function keyOf(secret: string) {
  const pair = createECDH('prime256v1')
  for (let tries = 0; ; tries++) {
    const scalar = Buffer.from(hkdfSync('sha256', secret, '', `aerie vapid${tries || ''}`, 32))
    // A short one would be cut (`getPrivateKey` leaves out leading zeros), and a JWK has 32 bytes.
    try {
      pair.setPrivateKey(scalar)
      if (pair.getPrivateKey().length === 32) return pair
    } catch (error) {
      if (tries >= MAX_TRIES) throw error
    }
  }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
