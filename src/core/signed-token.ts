import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Links that work in a browser, where no header can be sent: the bearer of the link may do the one thing that it
 * names, until it expires. Nothing is stored; the signature says that it came from us.
 */
export interface LinkSigner {
  sign(subject: string, expiresAtMs: number): string
  isValid(subject: string, token: string, nowMs: number): boolean
}

/** How long a link to a file works: long enough to come back to a listing, short enough to be forgotten. */
export const FILE_LINK_MS = 24 * 3_600_000

export function createLinkSigner(secret: string): LinkSigner {
  const signature = (subject: string, expires: string) =>
    createHmac('sha256', secret).update(`${expires}\n${subject}`).digest('base64url')
  return {
    sign(subject, expiresAtMs) {
      const expires = Math.ceil(expiresAtMs / 1000).toString(36)
      return `${expires}.${signature(subject, expires)}`
    },
    isValid(subject, token, nowMs) {
      const [expires = '', given = ''] = token.split('.')
      const [wanted, shown] = [Buffer.from(signature(subject, expires)), Buffer.from(given)]
      if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return false
      return parseInt(expires, 36) * 1000 > nowMs
    },
  }
}
