import { AppError } from './errors.ts'
import { textOf } from './request-headers.ts'

/**
 * The cookie by which a browser that has signed in shows itself; its script cannot read it. Browsers send cookies to every
 * port of a host, so the port is in the name: two services on one machine would sign each other out.
 */
function cookieName(baseUrl: string): string {
  const { port } = new URL(baseUrl)
  return port ? `aerie_session_${port}` : 'aerie_session'
}
/** How the secret of a session begins, so that it is never taken for a key. */
const PREFIX = 'se_'

/** As much of a request as decides whether its cookie counts. */
export interface BrowserRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, unknown>>
  /** How the caller reaches us. */
  readonly baseUrl: string
}

export const isSessionSecret = (text: string) => text.startsWith(PREFIX)
export const toSessionSecret = (random: string) => `${PREFIX}${random}`

/**
 * The secret in the request's cookie, if there is one. A browser sends cookies no matter which page made it ask, so the request must come from
 * a page of ours: by `Sec-Fetch-Site` where the browser says it; else whatever changes something, and every websocket,
 * needs our own `Origin`. Throws when it comes from elsewhere.
 */
export function sessionSecretOf(request: BrowserRequest): string | undefined {
  const secret = cookieValue(textOf(request.headers['cookie']) ?? '', cookieName(request.baseUrl))
  if (secret === undefined || !isSessionSecret(secret)) return undefined
  if (!isOwnPage(request)) throw new AppError('cross-origin-request')
  return secret
}

/** Whether no page of another origin made the browser send this. */
export function isOwnPage({ method, headers, baseUrl }: BrowserRequest): boolean {
  const site = textOf(headers['sec-fetch-site'])
  const isRead = ['GET', 'HEAD'].includes(method) && textOf(headers['upgrade']) === undefined
  if (site !== undefined && site !== 'same-origin') return isRead && site === 'none'
  const origin = textOf(headers['origin'])
  if (origin === undefined) return isRead || site === 'same-origin'
  const from = hostOf(origin)
  return Boolean(from) && (from === hostOf(baseUrl) || from === textOf(headers['host']))
}

/** `Set-Cookie` for a session that goes on for so long; 0 takes it back. */
export function sessionCookie(secret: string, maxAgeSeconds: number, baseUrl: string): string {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict']
  const secure = baseUrl.startsWith('https:') ? ['Secure'] : []
  return [`${cookieName(baseUrl)}=${secret}`, ...attributes, ...secure].join('; ')
}

function cookieValue(header: string, name: string): string | undefined {
  const pair = header.split(';').find((part) => part.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}

/** With its port. Whatever a caller sends as an origin may be none at all. */
function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined
}
