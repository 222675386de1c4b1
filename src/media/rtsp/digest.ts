import { createHash } from 'node:crypto'
import { type Credentials } from '../access.ts'

export type DigestCredentials = Extract<Credentials, { kind: 'digest' }>

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** What is stored instead of the password (RFC 2617 §3.2.2.2). */
export function digestHa1(username: string, realm: string, password: string): string {
  return md5(`${username}:${realm}:${password}`)
}

/** The `response` that belongs to these credentials (RFC 2617 §3.2.2.1). */
export function digestResponse(ha1: string, { method, uri, nonce, qop }: Omit<DigestCredentials, 'response'>): string {
  const ha2 = md5(`${method}:${uri}`)
  if (!qop) return md5(`${ha1}:${nonce}:${ha2}`)
  return md5(`${ha1}:${nonce}:${qop.nonceCount}:${qop.clientNonce}:auth:${ha2}`)
}
