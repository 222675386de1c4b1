import { type AccessRequest } from '../access.ts'
import { MediaRefusal } from '../refusal.ts'
import { readCredentials } from './authorization.ts'
import { createChallenge } from './challenge.ts'
import { RtspFailure, type RtspRequest } from '../rtsp-client/message.ts'
import { statusOfRefusal } from './refusal-answer.ts'
import { type StreamUrl } from './stream-url.ts'

/** Lets a connection ask the hub with the credentials of a request, and puts the hub's refusals into RTSP's words. */
export interface Gatekeeper {
  ask<T>(request: RtspRequest, url: StreamUrl, question: (access: AccessRequest) => Promise<T>): Promise<T>
  /** So many wrong credentials came that the connection has to end. */
  readonly isFedUp: boolean
}

export interface GatekeeperOptions {
  readonly remoteAddress: string
  readonly maxWrong: number
  readonly nonceMs: number
  readonly now: () => number
}

export function createGatekeeper({ remoteAddress, maxWrong, nonceMs, now }: GatekeeperOptions): Gatekeeper {
  const challenge = createChallenge(now, nonceMs)
  let wrong = 0

  function refuseCredentials(isStale: boolean): RtspFailure {
    // Stale ones count too: a client that answers the challenge has a fresh nonce.
    wrong++
    return new RtspFailure(401, 'The credentials are wrong.', challenge.headers(isStale))
  }

  return {
    async ask(request, url, question) {
      const credentials = readCredentials(request, url)
      const verdict = credentials ? challenge.check(credentials, url) : 'wrong'
      if (!credentials || verdict !== 'ok') throw refuseCredentials(verdict === 'stale')
      try {
        return await question({ credentials, remoteAddress, protocol: 'rtsp' })
      } catch (error) {
        if (!(error instanceof MediaRefusal)) throw error
        if (error.reason === 'credentials-wrong') throw refuseCredentials(false)
        const headers = error.reason === 'credentials-needed' ? challenge.headers(false) : undefined
        throw new RtspFailure(statusOfRefusal[error.reason], error.message, headers)
      }
    },
    get isFedUp() {
      return wrong >= maxWrong
    },
  }
}
