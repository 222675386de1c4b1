import { randomBytes } from 'node:crypto'
import { DIGEST_REALM } from '../../../core/digest.ts'
import { type AccessRequest, type Credentials } from '../../access.ts'
import { type Accepted } from '../../listener.ts'
import { isLoss, MediaRefusal } from '../../refusal.ts'
import { readCredentials } from './authorization.ts'
import { type Answer, RtspFailure, type RtspRequest } from '../wire/message.ts'
import { toFailure } from './refusal-answer.ts'
import { parseStreamUrl, type StreamUrl } from './stream-url.ts'

/** Asks the hub with the credentials of a request, and translates the hub's refusals into RTSP's statuses. */
export interface Gatekeeper {
  ask<T extends Accepted>(
    request: RtspRequest,
    url: StreamUrl,
    question: (access: AccessRequest) => Promise<T>,
  ): Promise<T>
  /** Checks again what was allowed before: between two steps it may have been withdrawn. */
  confirm(accepted: { confirm(): Promise<void> }): Promise<void>
  /** The connection has to end: it sent wrong credentials too often, or lost a right that it had, which is once too often. */
  readonly tooManyFailures: boolean
  /** One of our own workers was refused. */
  readonly hasRefusedWorker: boolean
}

export interface GatekeeperOptions {
  readonly remoteAddress: string
  readonly maxWrong: number
  readonly nonceMs: number
  readonly now: () => number
  /** The hub has let the connection publish or read. */
  readonly onAccepted: (accepted: Accepted) => void
}

export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const { remoteAddress, maxWrong, nonceMs, now, onAccepted } = options
  const challenger = createChallenger(now, nonceMs)
  let wrong = 0
  let hasLostRight = false
  let hasRefusedWorker = false

  function refuseCredentials(isStale: boolean): RtspFailure {
    // Stale ones count too: a client that answers the challenge has a fresh nonce.
    wrong++
    return new RtspFailure(401, 'The credentials are wrong.', challenger.headers(isStale))
  }

  function explain(error: unknown): unknown {
    if (!(error instanceof MediaRefusal)) return error
    hasRefusedWorker ||= error.isInternal
    if (error.reason === 'credentials-wrong') return refuseCredentials(false)
    return toFailure(error, error.reason === 'credentials-needed' ? challenger.headers(false) : undefined)
  }

  return {
    async ask(request, url, question) {
      const credentials = readCredentials(request, url)
      const verdict = credentials ? challenger.check(credentials, url) : 'wrong'
      if (!credentials || verdict !== 'ok') throw refuseCredentials(verdict === 'stale')
      try {
        const accepted = await question({ credentials, remoteAddress, protocol: 'rtsp' })
        onAccepted(accepted)
        return accepted
      } catch (error) {
        throw explain(error)
      }
    },
    async confirm(accepted) {
      try {
        await accepted.confirm()
      } catch (error) {
        hasLostRight ||= isLoss(error)
        throw explain(error)
      }
    },
    get tooManyFailures() {
      return hasLostRight || wrong >= maxWrong
    },
    get hasRefusedWorker() {
      return hasRefusedWorker
    },
  }
}

/**
 * Asks a connection for credentials (RFC 2617). Each connection has one nonce at a time and accepts no other, so that
 * there are never more than there are connections, and an answer overheard on one is worthless on another.
 */
interface Challenger {
  /** Whether these could be right at all: digests must answer our nonce, for this stream. */
  check(credentials: Credentials, url: StreamUrl): 'ok' | 'stale' | 'wrong'
  /** The headers of a 401. `isStale`: the password may well have been right, only the nonce was old. */
  headers(isStale: boolean): NonNullable<Answer['headers']>
}

export function createChallenger(now: () => number, nonceLifetimeMs: number): Challenger {
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
