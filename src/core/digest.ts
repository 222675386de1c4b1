import { createHash, timingSafeEqual } from 'node:crypto'

/** In hexadecimal digits. */
export const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

/** The realm of HTTP and RTSP Digest authentication. Fixed, because hashes of keys are made with it. */
export const DIGEST_REALM = 'aerie'

/** A proof, by HTTP Digest with MD5, of knowing a password (RFC 2617 §3.2.2; RTSP takes it from there). */
export interface DigestProof {
  readonly method: string
  readonly uri: string
  readonly nonce: string
  readonly response: string
  readonly qop?: { readonly nonceCount: string; readonly clientNonce: string } | undefined
}

/** In hexadecimal digits. */
export type DigestHash = (text: string) => string

/** `ha1` is MD5(username:realm:password): what is kept instead of the password. */
export function isDigestProofOf(ha1: string, proof: DigestProof): boolean {
  const { response } = proof
  const wanted = digestResponse(ha1, proof)
  return (
    response.length === wanted.length &&
    timingSafeEqual(Buffer.from(wanted), Buffer.from(response.toLowerCase().padEnd(32)).subarray(0, 32))
  )
}

/** The `response` that belongs to the rest of a proof (RFC 2617 §3.2.2.1; RFC 7616 knows other hashes). */
export function digestResponse(
  ha1: string,
  { method, uri, nonce, qop }: Omit<DigestProof, 'response'>,
  hash: DigestHash = md5,
): string {
  const ha2 = hash(`${method}:${uri}`)
  return hash(qop ? `${ha1}:${nonce}:${qop.nonceCount}:${qop.clientNonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`)
}

export function digestHa1(username: string, realm: string, password: string, hash: DigestHash = md5): string {
  return hash(`${username}:${realm}:${password}`)
}

const md5: DigestHash = (text) => createHash('md5').update(text).digest('hex')
