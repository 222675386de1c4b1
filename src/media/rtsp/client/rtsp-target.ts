import { withoutBrackets } from '../../../core/ip-address.ts'
import { parseUserinfo, type RtspCredentials } from '../wire/userinfo.ts'
import { RtspClientError } from './client-error.ts'

/** What to request, and from which server. */
export interface RtspTarget {
  /** As it stands in requests: without user and password. */
  readonly url: string
  /** Without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  readonly credentials: RtspCredentials | undefined
  /** How often we were sent elsewhere on the way to it. */
  readonly redirects: number
}

const MAX_REDIRECTS = 3
const DEFAULT_PORTS = { rtsp: 554, rtsps: 322 } as const

const URL_PARTS = /^(rtsps?):\/\/(?:([^/?#]*)@)?(\[[^\]/?#@[]+\]|[^/?#:@[\]]+)(?::(\d{1,5}))?(?![^/?#])([^#]*)/i

/**
 * Reads `rtsp://[user:password@]host[:port]/path[?query]`. The text is taken as it stands, not as the URL class would
 * write it, because cameras compare paths letter by letter.
 */
export function parseRtspTarget(text: string): RtspTarget {
  const parts = URL_PARTS.exec(text)
  const [, scheme = '', userinfo, host = '', portText, rest = ''] = parts ?? []
  const protocol = scheme.toLowerCase() as keyof typeof DEFAULT_PORTS
  const port = Number(portText ?? DEFAULT_PORTS[protocol])
  if (!parts || port < 1 || port > 65_535) throw wrong('An RTSP address looks like rtsp://host:554/path.')
  return {
    url: withoutControls(`${protocol}://${host}${portText === undefined ? '' : `:${portText}`}${rest}`),
    hostname: withoutBrackets(host),
    port,
    isTls: protocol === 'rtsps',
    credentials: userinfo ? usableCredentials(userinfo) : undefined,
    redirects: 0,
  }
}

/** Where a server sends us: only to RTSP, never from TLS to plain text, and with the password only to the same host. */
export function redirectedTarget(from: RtspTarget, location: string): RtspTarget {
  if (from.redirects >= MAX_REDIRECTS) throw wrong(`It redirects more than ${MAX_REDIRECTS} times.`)
  const absolute = URL.canParse(location, from.url) ? new URL(location, from.url).href : ''
  if (!/^rtsps?:\/\//i.test(absolute)) throw wrong('It redirects to something that is not RTSP.')
  const to = parseRtspTarget(absolute)
  if (from.isTls && !to.isTls) throw wrong('It redirects from rtsps:// to rtsp://, which is not encrypted.')
  const isSameHost = to.hostname.toLowerCase() === from.hostname.toLowerCase()
  return { ...to, credentials: isSameHost ? from.credentials : undefined, redirects: from.redirects + 1 }
}

/** What may stand in a request line; anything else, a line's end above all, is written as percent codes. */
export function withoutControls(url: string): string {
  return url.replace(/[^!-~]+/g, (text) => Buffer.from(text, 'utf8').toString('hex').replace(/../g, '%$&'))
}

function usableCredentials(userinfo: string): RtspCredentials {
  const credentials = parseUserinfo(userinfo)
  if (/[\u0000-\u001f\u007f]/.test(credentials.username + credentials.password))
    throw wrong('The user or the password has control characters.')
  return credentials
}

function wrong(sentence: string): RtspClientError {
  return new RtspClientError('unusable', sentence)
}
