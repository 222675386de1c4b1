import { randomBytes } from 'node:crypto'
import { DIGEST_REALM } from '../../../core/digest.ts'
import { type Credentials } from '../../access.ts'
import { type Answer } from '../wire/message.ts'
import { type StreamUrl, parseStreamUrl } from './stream-url.ts'

/**
 * Asks a connection for credentials. Each connection has one nonce at a time and no other is taken on it, so that
 * there are never more than there are connections, and an answer overheard on one is worthless on another.
 */
export interface Challenge {
  /** Whether these could be right at all: digests must answer our nonce, for this stream. */
  check(credentials: Credentials, url: StreamUrl): 'ok' | 'stale' | 'wrong'
  /** The headers of a 401. `isStale`: the password may well have been right, only the nonce was old. */
  headers(isStale: boolean): NonNullable<Answer['headers']>
}

export function createChallenge(now: () => number, nonceLifetimeMs: number): Challenge {
  let nonce: string | undefined
  let bornAtMs = 0

  const isOld = () => now() - bornAtMs > nonceLifetimeMs

  return {
    check(credentials, url) {
      if (credentials.kind !== 'digest') return 'ok'
      if (credentials.realm !== DIGEST_REALM) return 'wrong'
      if (credentials.nonce !== nonce || isOld()) return 'stale'
      // Clients differ in whether they sign the stream's URL or the track's; both name the same stream.
      return parseStreamUrl(credentials.uri).path === url.path ? 'ok' : 'wrong'
    },
    headers(isStale) {
      if (!nonce || isOld()) {
        nonce = randomBytes(16).toString('hex')
        bornAtMs = now()
      }
      // Neither qop nor algorithm, and `stale` third: live555 (VLC) reads no other form.
      const digest = `Digest realm="${DIGEST_REALM}", nonce="${nonce}"${isStale ? ', stale=true' : ''}`
      return [
        ['WWW-Authenticate', digest],
        ['WWW-Authenticate', `Basic realm="${DIGEST_REALM}"`],
      ]
    },
  }
}
