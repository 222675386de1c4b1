import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Account } from '../core/account.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { createKnownCredentials, type KnownCredentials } from '../core/known-credentials.ts'
import { bearerOf, countHeader } from '../core/request-headers.ts'
import { sessionSecretOf } from '../core/session-cookie.ts'
import { createStandingRights } from '../core/standing-rights.ts'
import { type UrgentWork } from '../core/urgent-work.ts'
import { createAuthenticationTurns } from './authentication-turns.ts'
import { watchStream } from './stream-watch.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set before any handler of a route that is not public. */
    account: Account
    /** By which it asks: its key, or the secret of its session. */
    credential: string
    /**
     * Of an answer that goes on: it ends when this rejects with an `AppError`, as it does when the key is gone. For rights that the
     * caller has beside its key.
     */
    holdRight: (ask: () => Promise<unknown>) => void
    /** Its key, for the addresses that carry it back to the same caller; empty for a session, whose cookie goes along by itself. */
    apiKey: string
  }
  interface FastifyContextConfig {
    /** Needs no key. */
    isPublic?: boolean
    /** Needs none where its query has a `token`, which the route judges: a link works by itself. */
    isLinked?: boolean
    /** Deprecated in favour of this path. */
    successor?: string
    /** The answer goes on for as long as the client stays. */
    isStream?: boolean
    /** Its body may be large, and take its time: for as long as the key counts. */
    isUpload?: boolean
    /** Its answer waits for a camera; how many do is bounded by what they wait with. */
    isSlow?: boolean
    /** What to send instead of a type that is not taken; JSON unless it is said. */
    wantedType?: string
    /** Must be possible on a full disk too. */
    urgentWork?: UrgentWork
    /** The body of a request that is read piece by piece, for the documentation. */
    documentedBody?: unknown
  }
}

/** Finds the account of this key, or of this secret of a session. */
export type Authenticate = (credential: string | undefined, address: string) => Promise<Account>

/** Finds it of a caller that was let in before; rejects with an `AppError` when the right is gone. */
export type Recheck = (credential: string | undefined) => Promise<Account>

interface HeldRight {
  readonly ask: () => Promise<unknown>
  readonly id: string
}

/** Authenticates the caller before anything of the request is read. */
export function addAuthentication(
  app: FastifyInstance,
  authenticate: Authenticate,
  recheck: Recheck,
  clock: Clock = systemClock,
  known: KnownCredentials = createKnownCredentials(),
): void {
  const rights = createStandingRights({
    ask: recheck,
    isRefusal: (error) => error instanceof AppError,
    identityOf: (credential) => credential ?? '',
    clock,
  })
  const moreRights = createStandingRights({
    ask: ({ ask }: HeldRight) => ask(),
    isRefusal: (error) => error instanceof AppError,
    identityOf: ({ id }) => id,
    clock,
  })
  let held = 0
  const turns = createAuthenticationTurns(known)
  app.addHook('onClose', async () => [rights, moreRights].forEach((all) => all.close()))
  app.decorateRequest('account')
  app.decorateRequest('credential', '')
  app.decorateRequest('apiKey', '')
  app.decorateRequest('holdRight')
  app.addHook('onRequest', async (request, reply) => {
    const { isPublic, isLinked, isStream, isUpload } = request.routeOptions.config
    if (request.is404 || isPublic || (isLinked && isLink(request))) return
    const { key, credential } = credentialOf(request)
    await turns.wait(credential, request.ip, request.raw.socket)
    request.account = await authenticate(credential, request.ip)
    if (credential !== undefined) known.add(credential, request.account.id)
    request.credential = credential ?? ''
    request.apiKey = key ?? ''
    if (isStream || isUpload) watchStream(request, reply, (onLost) => rights.hold(credential, onLost))
    request.holdRight = (ask) =>
      watchStream(request, reply, (onLost) => moreRights.hold({ ask, id: String(++held) }, onLost))
    // The query's schema need not know the key.
    if (request.query && typeof request.query === 'object') delete (request.query as Record<string, unknown>)['api_key']
  })
}

const isLink = ({ query }: FastifyRequest) => (query as Record<string, unknown> | undefined)?.['token'] !== undefined

/** By which a request asks: its key, or else the secret of its session. */
export function credentialOf(request: FastifyRequest): { key: string | undefined; credential: string | undefined } {
  const key = keyOf(request)
  return { key, credential: key ?? sessionSecretOf(request) }
}

/** What a request to what is public shows, for its turn only; whether it is right is found out where it matters. */
export function shownCredentialOf(request: FastifyRequest): string | undefined {
  const { token } = (request.query ?? {}) as Record<string, unknown>
  if (typeof token === 'string') return token
  try {
    return credentialOf(request).credential
  } catch {
    return undefined
  }
}

/** The header `api_key`; `Authorization: Bearer`; the query, for what can't send headers (`<video>`, websockets). */
function keyOf(request: FastifyRequest): string | undefined {
  // Joined by a comma they would be one key that nobody has.
  if (countHeader(request.raw.rawHeaders, 'api_key') > 1)
    throw new AppError('request-malformed', { reason: 'it has the header api_key twice; send it once.' })
  const header = request.headers['api_key']
  if (typeof header === 'string' && header) return header
  const bearer = bearerOf(request.headers)
  if (bearer) return bearer
  const query = (request.query as Record<string, unknown> | undefined)?.['api_key']
  if (Array.isArray(query))
    throw new AppError('request-malformed', { reason: 'its query has api_key twice; send it once.' })
  return typeof query === 'string' && query ? query : undefined
}
