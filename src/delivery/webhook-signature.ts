import { createHmac } from 'node:crypto'

export interface SignedContent {
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
}

/** `v1,…` of Standard Webhooks: HMAC-SHA256 over id, time and body with the bytes that `whsec_…` holds in base64. */
export function signatureOf({ id, timestampSeconds, body }: SignedContent, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`
}
