import { randomBytes } from 'node:crypto'

/** A secret of Standard Webhooks that nobody had before: 192 bits. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}
