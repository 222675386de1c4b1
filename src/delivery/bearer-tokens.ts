import { type Clock } from '../core/clock.ts'
import { type HttpCaller } from './http-call.ts'
import { NotDelivered } from './message.ts'
import { basicAuth } from './basic-auth.ts'

/** Tokens for receivers that need a login step first; each is fetched once and kept until it is refused or expires. */
export interface BearerTokens {
  get(authUrl: string, accountId: string): Promise<string>
  /** The receiver did not take it. */
  refuse(authUrl: string, token: string): void
}

const MAX_TOKENS = 1_000
const KEEP_MS = 3_600_000
/** Before it expires by its own word. */
const EARLY_MS = 30_000

interface Kept {
  readonly token: string
  readonly untilMs: number
}

export function createBearerTokens(http: Pick<HttpCaller, 'post'>, clock: Clock): BearerTokens {
  const kept = new Map<string, Kept>()
  /** Channels with the same login wait for one answer. */
  const asking = new Map<string, Promise<string>>()

  async function ask(authUrl: string, accountId: string): Promise<string> {
    const url = new URL(authUrl)
    const { status, text } = await http.post({
      url,
      accountId,
      // What an OAuth 2 token endpoint wants (RFC 6749 §4.4.2); others need not look at it.
      headers: {
        ...basicAuth(url),
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    if (status < 200 || status > 299) throw new NotDelivered(`The login at auth_url was answered by ${status}.`)
    const { token, expiresInMs } = readToken(text)
    kept.delete(authUrl)
    kept.set(authUrl, { token, untilMs: clock.now() + Math.max(0, Math.min(KEEP_MS, expiresInMs - EARLY_MS)) })
    for (const oldest of kept.keys()) if (kept.size > MAX_TOKENS) kept.delete(oldest)
    return token
  }

  return {
    async get(authUrl, accountId) {
      const known = kept.get(authUrl)
      if (known && known.untilMs > clock.now()) return known.token
      const answer = asking.get(authUrl) ?? ask(authUrl, accountId).finally(() => asking.delete(authUrl))
      asking.set(authUrl, answer)
      return answer
    },
    refuse(authUrl, token) {
      if (kept.get(authUrl)?.token === token) kept.delete(authUrl)
    },
  }
}

function readToken(text: string): { token: string; expiresInMs: number } {
  try {
    const answer = JSON.parse(text) as Record<string, unknown>
    const token = answer['access_token'] ?? answer['token']
    const expiresIn = answer['expires_in']
    if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token))
      return { token, expiresInMs: typeof expiresIn === 'number' ? expiresIn * 1000 : Infinity }
  } catch {
    // Reported below.
  }
  throw new NotDelivered('The answer of auth_url must be JSON with an access_token or a token.')
}
