/** Where NATS is, and as whom we connect, as `AERIE_NATS_URL` names it. */
export interface NatsAddress {
  /** `host:port` of each server. */
  readonly servers: readonly string[]
  readonly user?: string
  readonly password?: string
  readonly token?: string
  /** Connections without TLS are refused. */
  readonly isTlsRequired: boolean
}

const DEFAULT_PORT = '4222'

/**
 * Reads `nats://user:password@host:4222`, or several by commas; `tls://` demands TLS, and a user without a password is a token. The
 * errors never quote what was given, since that may hold a password.
 */
export function parseNatsUrl(text: string): NatsAddress {
  const urls = text.split(',').map((part, index) => parseOne(part.trim(), index + 1))
  const [first] = urls as [URL, ...URL[]]
  // The client has one identity for all servers.
  if (urls.some(({ username, password }) => username !== '' && username + password !== first.username + first.password))
    throw new Error('The addresses of NATS have several users; give the same one to all, or only the first.')
  const user = decodeURIComponent(first.username)
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`),
    isTlsRequired: urls.some(({ protocol }) => protocol === 'tls:'),
    ...(user !== '' && first.password === '' && { token: user }),
    ...(first.password !== '' && { user, password: decodeURIComponent(first.password) }),
  }
}

function parseOne(text: string, number: number): URL {
  if (/^(nats|tls):\/\//i.test(text) && URL.canParse(text)) {
    const url = new URL(text)
    const isBare = url.pathname.replace('/', '') === '' && url.search === '' && url.hash === ''
    if (url.hostname !== '' && isBare && isDecodable(url.username) && isDecodable(url.password)) return url
  }
  throw new Error(
    `Address ${number} of NATS is none; write nats://host:4222 or tls://host:4222, and characters such as @ : / in a password as %40 %3A %2F.`,
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
