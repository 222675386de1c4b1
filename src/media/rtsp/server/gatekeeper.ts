import { type AccessRequest } from '../../access.ts'
import { type Granted } from '../../listener.ts'
import { isLoss, MediaRefusal } from '../../refusal.ts'
import { readCredentials } from './authorization.ts'
import { createChallenge } from './challenge.ts'
import { RtspFailure, type RtspRequest } from '../wire/message.ts'
import { toFailure } from './refusal-answer.ts'
import { type StreamUrl } from './stream-url.ts'

/** Lets a connection ask the hub with the credentials of a request, and puts the hub's refusals into RTSP's words. */
export interface Gatekeeper {
  ask<T extends Granted>(
    request: RtspRequest,
    url: StreamUrl,
    question: (access: AccessRequest) => Promise<T>,
  ): Promise<T>
  /** Asks again about what was granted before: between two steps it may have been taken away. */
  confirm(granted: { confirm(): Promise<void> }): Promise<void>
  /** So many wrong credentials came, or a right is gone, that the connection has to end. */
  readonly isFedUp: boolean
}

export interface GatekeeperOptions {
  readonly remoteAddress: string
  readonly maxWrong: number
  readonly nonceMs: number
  readonly now: () => number
  /** The hub has said yes. */
  readonly onGranted: (granted: Granted) => void
}

export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const { remoteAddress, maxWrong, nonceMs, now, onGranted } = options
  const challenge = createChallenge(now, nonceMs)
  let wrong = 0
  let hasLostRight = false

  function refuseCredentials(isStale: boolean): RtspFailure {
    // Stale ones count too: a client that answers the challenge has a fresh nonce.
    wrong++
    return new RtspFailure(401, 'The credentials are wrong.', challenge.headers(isStale))
  }

  function explain(error: unknown): unknown {
    if (!(error instanceof MediaRefusal)) return error
    if (error.reason === 'credentials-wrong') return refuseCredentials(false)
    return toFailure(error, error.reason === 'credentials-needed' ? challenge.headers(false) : undefined)
  }

  return {
    async ask(request, url, question) {
      const credentials = readCredentials(request, url)
      const verdict = credentials ? challenge.check(credentials, url) : 'wrong'
      if (!credentials || verdict !== 'ok') throw refuseCredentials(verdict === 'stale')
      try {
        const granted = await question({ credentials, remoteAddress, protocol: 'rtsp' })
        onGranted(granted)
        return granted
      } catch (error) {
        throw explain(error)
      }
    },
    async confirm(granted) {
      try {
        await granted.confirm()
      } catch (error) {
        hasLostRight ||= isLoss(error)
        throw explain(error)
      }
    },
    get isFedUp() {
      return hasLostRight || wrong >= maxWrong
    },
  }
}
