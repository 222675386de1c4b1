import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { answerMalformed } from './client-error.ts'
import { addConnectionLimits } from './connection-limits.ts'
import { addHostCheck, createKnownHosts, type KnownHostOptions } from './known-hosts.ts'
import { sendProblem, toAppError } from './problem.ts'
import { createUnknownHostLog } from './unknown-host-log.ts'
import { addUnreadBody, hasBody } from './unread-body.ts'

export interface HttpsRedirectDeps {
  readonly options: KnownHostOptions
  /** Where HTTPS is spoken. */
  readonly httpsPort: () => number
  readonly log: { warn(fields: object, text: string): void }
  readonly clock?: Clock
}

/** Nobody stays: an answer is a line, and the connection ends with it. */
const MAX_CONNECTIONS = 256
const TIMEOUT_MS = 10_000

/**
 * Plain HTTP, which sends browsers on to HTTPS: only to hosts of ours, and only what asks without a secret. A program that sends its
 * key unencrypted would do so each time and never learn of it, so it is refused; so is what brings a body.
 */
export function createHttpsRedirect({
  options,
  httpsPort,
  log,
  clock = systemClock,
}: HttpsRedirectDeps): FastifyInstance {
  const app = fastify({
    requestTimeout: TIMEOUT_MS,
    connectionTimeout: TIMEOUT_MS,
    forceCloseConnections: true,
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendProblem(reply, toAppError(error, request)),
    clientErrorHandler: answerMalformed,
  })
  app.setErrorHandler((error, request, reply) => sendProblem(reply, toAppError(error as never, request)))

  addConnectionLimits(app, { maxConnections: MAX_CONNECTIONS })
  addUnreadBody(app)
  app.addHook('onSend', async (_request, reply) => void reply.header('connection', 'close'))
  addHostCheck(
    app,
    createKnownHosts(options),
    createUnknownHostLog(log, () => clock.now()),
  )
  app.addHook('onRequest', async (request, reply) => {
    const address = httpsAddress(request.hostname, httpsPort(), options.publicUrl)
    if (!asksWithoutSecrets(request)) throw new AppError('https-required', { address })
    return reply.redirect(address + pathOf(request.url), 308)
  })
  return app
}

/** How the same caller reaches us by HTTPS; the host has been checked. */
function httpsAddress(hostname: string, port: number, publicUrl: string | undefined): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return new URL(`https://${hostname}:${port}`).origin
}

function asksWithoutSecrets({ method, headers, url, raw }: FastifyRequest): boolean {
  if (!['GET', 'HEAD'].includes(method) || hasBody(raw)) return false
  return headers['api_key'] === undefined && headers.authorization === undefined && maskSecrets(url) === url
}

/** Path and query, which may stand in absolute form; always behind a slash, so that it cannot become a part of the host. */
function pathOf(url: string): string {
  const relative = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return relative.startsWith('/') ? relative : `/${relative}`
}
