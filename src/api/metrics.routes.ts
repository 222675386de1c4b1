import { createHash, timingSafeEqual } from 'node:crypto'
import { type FastifyPluginAsync, type FastifyRequest } from 'fastify'
import { FIRST_MASTER } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { bearerOf } from '../core/request-headers.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Authenticate, credentialOf } from './authentication.ts'

export interface MetricsAuth {
  readonly need: 'always' | 'off'
  /** Opens `/metrics` and nothing else. */
  readonly token: string | undefined
}

export interface MetricsRouteDeps {
  readonly metrics: Metrics
  readonly auth: MetricsAuth
  readonly authenticate: Authenticate
}

/** `/metrics`, for Prometheus: with a token of its own, or the key of the first master, who sees what belongs to others too. */
export function metricsRoutes({ metrics, auth, authenticate }: MetricsRouteDeps): FastifyPluginAsync {
  async function admit(request: FastifyRequest): Promise<void> {
    if (auth.need === 'off' || (auth.token !== undefined && isSame(bearerOf(request.headers), auth.token))) return
    const { credential } = credentialOf(request)
    const account = credential === undefined ? undefined : await authenticate(credential, request.ip).catch(explain)
    if (account?.username !== FIRST_MASTER) throw new AppError('metrics-token-required')
  }

  /** What is no key was probably meant as the token. */
  function explain(error: unknown): never {
    if (!(error instanceof AppError && error.code === 'api-key-invalid')) throw error
    throw new AppError('metrics-token-required', {}, { cause: error })
  }

  return async (app) => {
    app.get('/metrics', { config: { isPublic: true }, schema: { hide: true } }, async (request, reply) => {
      await admit(request)
      return reply.type(metrics.contentType).send(await metrics.text())
    })
  }
}

/** Hashed first: then they are of one length, and the time reveals nothing. */
function isSame(given: string | undefined, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(wanted))
}
