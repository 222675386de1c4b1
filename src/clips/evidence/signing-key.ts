import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'

/** What signs packages of evidence: Ed25519 (RFC 8032), derived from the service's secret, so that all its nodes and its backups have it. */
export interface SigningKey extends PublicKey {
  sign(bytes: Buffer): Buffer
}

/** What signatures are checked with, wherever that is. */
export interface PublicKey {
  readonly pem: string
  /** SHA-256 of the key as DER (RFC 8410), in hex: what people compare. */
  readonly fingerprint: string
  isSignedBy(bytes: Buffer, signature: Buffer): boolean
}

const SEED_BYTES = 32
/** What stands before the seed in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function createSigningKey(secret: string): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'aerie evidence ed25519', SEED_BYTES))
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  return { ...toPublicKey(createPublicKey(key)), sign: (bytes) => signBytes(null, bytes, key) }
}

/** Of a PEM; undefined for what is no public key of Ed25519. A private one is none: nobody should pass it on. */
export function readPublicKey(pem: string): PublicKey | undefined {
  if (!pem.includes('-----BEGIN PUBLIC KEY-----')) return undefined
  try {
    const key = createPublicKey({ key: pem, format: 'pem' })
    return key.asymmetricKeyType === 'ed25519' ? toPublicKey(key) : undefined
  } catch {
    return undefined
  }
}

function toPublicKey(key: KeyObject): PublicKey {
  const der = key.export({ format: 'der', type: 'spki' })
  return {
    pem: key.export({ format: 'pem', type: 'spki' }) as string,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    isSignedBy: (bytes, signature) => verifyBytes(null, bytes, key, signature),
  }
}
