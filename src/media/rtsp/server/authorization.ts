import { type Credentials } from '../../access.ts'
import { type RtspRequest } from '../wire/message.ts'
import { type StreamUrl } from './stream-url.ts'

/**
 * The credentials of a request: from the `Authorization` header (RFC 2617), else from `?api_key=` or `?token=`, else from the userinfo that some
 * clients leave in the URL. Undefined when there is a header that can't be understood.
 */
export function readCredentials(request: RtspRequest, url: StreamUrl): Credentials | undefined {
  const header = request.headers.get('authorization')
  if (header !== undefined) return parseAuthorization(header, request.method)
  const key = url.query.get('api_key')
  if (key) return { kind: 'key', key }
  const token = url.query.get('token')
  if (token) return { kind: 'token', token }
  if (url.userinfo) return { kind: 'password', ...url.userinfo }
  return { kind: 'none' }
}

export function parseAuthorization(header: string, method: string): Credentials | undefined {
  const [, scheme = '', rest = ''] = /^(\S+) (.*)$/.exec(header) ?? []
  if (scheme.toLowerCase() === 'basic') return parseBasic(rest)
  if (scheme.toLowerCase() === 'digest') return parseDigest(rest, method)
  return undefined
}

function parseBasic(encoded: string): Credentials | undefined {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return { kind: 'password', username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function parseDigest(text: string, method: string): Credentials | undefined {
  const fields = parseFields(text)
  const [username, realm, nonce, uri, response] = ['username', 'realm', 'nonce', 'uri', 'response'].map((name) =>
    fields.get(name),
  )
  const [qop, nonceCount, clientNonce] = ['qop', 'nc', 'cnonce'].map((name) => fields.get(name))
  const isMd5 = (fields.get('algorithm') ?? 'MD5').toUpperCase() === 'MD5'
  if (!username || !nonce || !uri || !response || realm === undefined || !isMd5) return undefined
  const basics = { kind: 'digest', username, realm, nonce, uri, method, response: response.toLowerCase() } as const
  if (qop === undefined) return basics
  if (qop !== 'auth' || !nonceCount || !clientNonce) return undefined
  return { ...basics, qop: { nonceCount, clientNonce } }
}

/** `name="quoted \" value", name=token`, names in lower case. */
function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [, name, quoted, token] of text.matchAll(
    /(?<![a-z])([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi,
  )) {
    fields.set(name!.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token!)
  }
  return fields
}
