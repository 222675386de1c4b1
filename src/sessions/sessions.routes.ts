import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account, isMaster } from '../core/account.ts'
import { toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type KnownCredentials } from '../core/known-credentials.ts'
import { isOwnPage, sessionCookie, sessionSecretOf } from '../core/session-cookie.ts'
import { type SessionService, type SignedIn } from './sessions.service.ts'

export interface SessionRouteDeps {
  readonly sessions: SessionService
  /** A browser that has signed in just now is known by its first request. */
  readonly knownCredentials: Pick<KnownCredentials, 'add'>
}

const SignIn = z
  .strictObject({
    api_key: z.string().min(1).max(200).optional(),
    code: z.string().min(1).max(200).optional().describe('From a sign-in link; works once.'),
  })
  .refine(({ api_key, code }) => (api_key === undefined) !== (code === undefined), 'Give api_key or code.')

const Whoami = z.object({ username: z.string(), is_master: z.boolean() })
const SignedInAs = Whoami.extend({ expires_at: z.string() })
const SignedOut = z.object({ signed_out: z.literal(true) })
const SignInCode = z.object({
  code: z.string(),
  url: z.string().describe('Opens the console, signed in; once.'),
  expires_at: z.string(),
})

/** `/session`: for browsers, which keep a cookie that scripts cannot read instead of the key. */
export function sessionRoutes({ sessions, knownCredentials }: SessionRouteDeps): FastifyPluginAsyncZod {
  const setCookie = (request: FastifyRequest, reply: FastifyReply, secret: string, seconds: number) =>
    reply.header('set-cookie', sessionCookie(secret, seconds, request.baseUrl)).header('cache-control', 'no-store')

  return async (app) => {
    const tags = ['Sessions']

    app.post(
      '/session',
      {
        config: { isPublic: true },
        // A key or a code; anybody may send it.
        bodyLimit: 4096,
        schema: {
          tags,
          summary: 'Sign a browser in with a key or a code; answers a cookie',
          security: [],
          body: SignIn,
          response: { 201: SignedInAs },
        },
      },
      async (request, reply) => {
        // Nobody else's page may sign a visitor in as somebody.
        if (!isFromNoOtherPage(request)) throw new AppError('cross-origin-request')
        const { api_key, code } = request.body
        const signedIn: SignedIn =
          code === undefined
            ? await sessions.signInByKey(api_key!, request.ip)
            : await sessions.signInByCode(code, request.ip)
        knownCredentials.add(signedIn.secret, signedIn.account.id)
        setCookie(request, reply, signedIn.secret, sessions.lifeSeconds)
        return reply.code(201).send({ ...toWhoami(signedIn.account), expires_at: toZulu(signedIn.expiresAt) })
      },
    )

    app.get(
      '/session',
      { schema: { tags, summary: 'Who is signed in', response: { 200: Whoami } } },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return toWhoami(request.account)
      },
    )

    app.delete(
      '/session',
      { config: { urgentWork: 'revocation' }, schema: { tags, summary: 'Sign out', response: { 200: SignedOut } } },
      async (request, reply) => {
        const secret = sessionSecretOf(request)
        if (secret !== undefined) await sessions.end(secret)
        setCookie(request, reply, '', 0)
        return { signed_out: true as const }
      },
    )

    app.post(
      '/session/code',
      {
        schema: { tags, summary: 'Make a link that signs a browser in once', response: { 201: SignInCode } },
      },
      async (request, reply) => {
        const { code, expiresAt } = await sessions.issueCode(request.credential)
        const url = `${request.baseUrl}/#/sign-in?code=${code}`
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({ code, url, expires_at: toZulu(expiresAt) })
      },
    )
  }
}

/** Programs that are no browser say nothing of an origin, and are welcome too. */
function isFromNoOtherPage(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  return (origin === undefined && site === undefined) || isOwnPage(request)
}

function toWhoami(account: Account): z.infer<typeof Whoami> {
  return { username: account.username, is_master: isMaster(account) }
}
