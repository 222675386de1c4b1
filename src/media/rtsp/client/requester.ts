import { createAuthenticator } from './authenticator.ts'
import { refusalOf, RtspClientError, RtspRedirect } from './client-error.ts'
import { type RtspClientConnection } from './connection.ts'
import { type Headers, type RtspResponse } from '../wire/message.ts'
import { type RtspCredentials } from '../wire/userinfo.ts'

/** Requests with the user and password that the server wants to know. */
export interface RtspRequester {
  /** Rejects with an `RtspRedirect` or another `RtspClientError` for any answer but 2xx. */
  request(method: string, url: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<RtspResponse>
}

/** One with an old nonce, or without credentials, and two with what the server's challenge asked for. */
const MAX_TRIES = 3
const REDIRECTIONS = [301, 302, 303, 305, 307, 308]

export function createRequester(
  connection: RtspClientConnection,
  credentials: RtspCredentials | undefined,
): RtspRequester {
  const authenticator = credentials && createAuthenticator(credentials)

  return {
    async request(method, url, headers = {}, body) {
      for (let tries = 1; ; tries++) {
        const authorization = authenticator?.authorize(method, url)
        const authorized = authorization ? { ...headers, Authorization: authorization } : headers
        const response = await connection.ask(method, url, authorized, body)
        if (response.status !== 401) return accepted(method, response, credentials)
        if (!authenticator) throw new RtspClientError('refused', 'The camera asks for a user and a password.', 401)
        const isWorthIt = authenticator.accept(response.headers.get('www-authenticate'))
        if (!isWorthIt || tries >= MAX_TRIES)
          throw new RtspClientError('refused', 'The camera refuses this user and password.', 401)
      }
    },
  }
}

function accepted(method: string, response: RtspResponse, credentials: RtspCredentials | undefined): RtspResponse {
  const { status, reason, headers } = response
  if (status >= 200 && status < 300) return response
  const location = headers.get('location')
  if (REDIRECTIONS.includes(status) && location) throw new RtspRedirect(status, location)
  throw refusalOf(method, status, reason, credentials?.password)
}

export interface RtspSession {
  readonly id: string
  /** How long the server keeps it without a sign of life. */
  readonly timeoutMs: number
}

const DEFAULT_TIMEOUT_S = 60

/** `Session: 12345;timeout=60` (RFC 2326 §12.37). */
export function sessionOf(headers: Headers): RtspSession {
  const [id = '', ...parameters] = (headers.get('session') ?? '').split(';').map((text) => text.trim())
  const timeout = parameters.map((text) => /^timeout\s*=\s*(\d{1,6})/i.exec(text)?.[1]).find(Boolean)
  return { id, timeoutMs: Number(timeout ?? DEFAULT_TIMEOUT_S) * 1000 }
}

export function sessionHeader(session: RtspSession | undefined): Readonly<Record<string, string>> {
  return session?.id ? { Session: session.id } : {}
}
