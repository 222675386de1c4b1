import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Of the browser that is to read it. */
export interface PushKeys {
  /** base64url: an uncompressed point of P-256. */
  readonly p256dh: string
  /** base64url: 16 bytes. */
  readonly auth: string
}

/** What is random in a message; given by the examples of the standard. */
export interface PushSeeds {
  readonly salt: Buffer
  readonly privateKey: Buffer
}

const CURVE = 'prime256v1'
/** RFC 8291 §4: one record, and its size is at least that of the message. */
const RECORD_BYTES = 4096
/** The delimiter of the last record (RFC 8188 §2). */
const LAST_RECORD = Buffer.of(2)

/** A message as only that browser can read it (RFC 8291, in the coding `aes128gcm` of RFC 8188). */
export function encryptPush(text: Buffer, keys: PushKeys, seeds?: PushSeeds): Buffer {
  const [theirs, auth] = [bytesOf(keys.p256dh), bytesOf(keys.auth)]
  const own = createECDH(CURVE)
  if (seeds) own.setPrivateKey(seeds.privateKey)
  else own.generateKeys()
  const salt = seeds?.salt ?? randomBytes(16)
  const ours = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = derive(own.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = Buffer.concat([cipher.update(text), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()])
  const head = Buffer.alloc(5)
  head.writeUInt32BE(RECORD_BYTES)
  head.writeUInt8(ours.length, 4)
  return Buffer.concat([salt, head, ours, record])
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

const bytesOf = (base64url: string) => Buffer.from(base64url, 'base64url')
