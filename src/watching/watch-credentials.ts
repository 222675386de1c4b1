import { type KnownCredentials } from '../core/known-credentials.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { bearerOf, textOf } from '../core/request-headers.ts'
import { type BrowserRequest, sessionSecretOf } from '../core/session-cookie.ts'

/** What a browser or a player shows of itself: the account's key, or a narrow token. */
export interface WatchCredentials {
  /** Or the secret of a session in its place. */
  readonly key?: string | undefined
  readonly token?: string | undefined
}

export interface ShownCredentials {
  readonly credentials: WatchCredentials
  /** They came in the address itself, which a player does not carry on to the addresses in a playlist. */
  readonly isInQuery: boolean
}

/** How the tokens of sources and of outputs begin. */
const TOKEN = /^(tk|ot)_/

/** The header `api_key`, a Bearer (key or token), the query, or the cookie of a session. */
export function credentialsOf(request: AskedBy): ShownCredentials {
  const { headers, query } = request
  const inHeader = textOf(headers['api_key'])
  if (inHeader) return { credentials: { key: inHeader }, isInQuery: false }
  const bearer = bearerOf(headers)
  if (bearer && TOKEN.test(bearer)) return { credentials: { token: bearer }, isInQuery: false }
  if (bearer) return { credentials: { key: bearer }, isInQuery: false }
  const { token, api_key: key } = (query ?? {}) as Record<string, unknown>
  if (textOf(token)) return { credentials: { token: textOf(token) }, isInQuery: true }
  if (textOf(key)) return { credentials: { key: textOf(key) }, isInQuery: true }
  const secret = sessionSecretOf(request)
  return { credentials: secret === undefined ? {} : { key: secret }, isInQuery: false }
}

/** What was right for a path counts for its owner: however many tokens it issues, they are one among others. */
export function rememberViewer(
  known: Pick<KnownCredentials, 'add'>,
  { key, token }: WatchCredentials,
  path: string,
): void {
  const credential = token ?? key
  if (credential !== undefined) known.add(credential, `streams of ${ownerOfPath(path)}`)
}

/** The part of a request that holds credentials. */
export interface AskedBy extends BrowserRequest {
  readonly query: unknown
}
