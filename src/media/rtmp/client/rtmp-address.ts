import { withoutBrackets } from '../../../core/ip-address.ts'
import { percentDecoded } from '../../../core/url-text.ts'

export interface RtmpCredentials {
  readonly username: string
  readonly password: string
}

/** Where to publish to or play from, in the words of RTMP's commands. */
export interface RtmpAddress {
  /** Without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  readonly app: string
  /** The stream's name with the query behind it. May be empty: some servers know the application only. */
  readonly name: string
  /** Without user and password, as FFmpeg has it. */
  readonly tcUrl: string
  /** Undefined without a password. */
  readonly credentials: RtmpCredentials | undefined
  /** Host and port, for sentences: all the rest of the URL may be secret. */
  readonly label: string
  /** What a server might repeat to us and nobody else may see. */
  readonly secrets: readonly string[]
}

const URL_PARTS = /^(rtmps?):\/\/((?:[^/?#]*@)?[^/?#@]+)\/+(?!\/)([^?]*)(\?.*)?$/i
/** A shorter name is no key, and its letters occur in any sentence. */
const MIN_SECRET_LENGTH = 6

/**
 * Reads `rtmp://[user:password@]host[:port]/app[/instance]/name[?query]`. Throws a sentence when it is none.
 * The text is taken as it stands, not as the URL class would write it, because servers compare keys letter by letter.
 */
export function parseRtmpAddress(url: string): RtmpAddress {
  const parts = URL_PARTS.exec(url)
  if (!parts || /[\u0000-\u0020\u007f]/.test(url) || !URL.canParse(url)) throw wrong()
  const [, scheme = '', authority = '', path = '', query = ''] = parts
  const { hostname, port, username, password } = new URL(url)
  const isTls = scheme.toLowerCase() === 'rtmps'
  if (!hostname || port === '0' || path === '') throw wrong()

  const [app, name] = splitPath(path, query)
  const portNumber = Number(port || (isTls ? 443 : 1935))
  return {
    hostname: withoutBrackets(hostname),
    port: portNumber,
    isTls,
    app,
    name,
    tcUrl: `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}/${app}`,
    credentials: password ? { username: percentDecoded(username), password: percentDecoded(password) } : undefined,
    label: `${hostname}:${portNumber}`,
    secrets: [name, name.replace(query, ''), query.slice(1), password, percentDecoded(password)].filter(
      (secret, index, all) => secret.length >= MIN_SECRET_LENGTH && all.indexOf(secret) === index,
    ),
  }
}

/** As FFmpeg does it, so that an address means the same here and there: the application has at most two parts. */
function splitPath(path: string, query: string): [app: string, name: string] {
  const segments = path.split('/')
  if (segments.length === 1) return [path + query, '']
  const appParts = segments.length === 2 ? 1 : 2
  return [segments.slice(0, appParts).join('/'), segments.slice(appParts).join('/') + query]
}

function wrong(): Error {
  return new Error('An RTMP address looks like rtmp://host/app/name, or rtmps://host:port/app/name?key=value.')
}
