import { percentDecoded, trimEndSlashes, trimSlashes } from '../../../core/url-text.ts'
import { type Credentials } from '../../access.ts'

/** What a client said on connecting: `rtmp://host/app` and the same once more as the application's name. */
export interface ConnectAddress {
  readonly app: string
  readonly tcUrl: string
}

export interface StreamAddress {
  /** As it stands; whether it is a path is for the hub to say. */
  readonly path: string
  readonly credentials: Credentials
}

/** Of the application, its URL and a name, each: nothing that is longer is looked into. */
export const MAX_NAME_LENGTH = 1024

/** Put before the name of a file by players of old. */
const FILE_KIND = /^(mp4|f4v|flv|mp3):/

/**
 * Clients split an address into application and stream name as they like: together they are the path. What they say of
 * themselves stands behind the name, behind the application, or in the URL; the nearest to the name counts.
 */
export function readStreamAddress({ app, tcUrl }: ConnectAddress, name: string): StreamAddress {
  const url = parseUrl(tcUrl)
  const [appPath, appQuery] = splitQuery(trimEndSlashes(app))
  const [namePath, nameQuery] = splitQuery(name.replace(FILE_KIND, ''))
  const path = [appPath || (url?.pathname ?? ''), namePath]
    .map(trimSlashes)
    .filter((part) => part !== '')
    .join('/')

  const queries = [nameQuery, appQuery, url?.search ?? ''].map((query) => new URLSearchParams(query))
  return { path, credentials: fromQueries(queries) ?? fromUserInfo(url) ?? { kind: 'none' } }
}

function fromQueries(queries: readonly URLSearchParams[]): Credentials | undefined {
  const get = (...names: readonly string[]) =>
    queries.flatMap((query) => names.map((name) => query.get(name))).find(Boolean)
  const key = get('api_key')
  if (key) return { kind: 'key', key }
  const token = get('token')
  if (token) return { kind: 'token', token }
  const username = get('user', 'username')
  const password = get('pass', 'password')
  return username && password ? { kind: 'password', username, password } : undefined
}

function fromUserInfo(url: URL | undefined): Credentials | undefined {
  if (!url?.password) return undefined
  return { kind: 'password', username: percentDecoded(url.username), password: percentDecoded(url.password) }
}

function splitQuery(text: string): [path: string, query: string] {
  const at = text.indexOf('?')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** URL knows the parts of http addresses only. */
function parseUrl(tcUrl: string): URL | undefined {
  const asHttp = tcUrl.replace(/^rtmp[a-z]*:\/\//i, 'http://')
  return URL.canParse(asHttp) ? new URL(asHttp) : undefined
}
