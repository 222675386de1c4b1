import { type Server as HttpsServer } from 'node:https'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import { fastify, type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { type ServedCertificate } from '../core/certificate.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { createKnownCredentials, type KnownCredentials } from '../core/known-credentials.ts'
import { type MessageChannel } from '../core/message-channel.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { notFound } from '../core/refusals.ts'
import { type UrgentWork } from '../core/urgent-work.ts'
import { type Health } from '../observe/health.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { addAuthentication, type Authenticate, type Recheck } from './authentication.ts'
import { addBaseUrl } from './base-url.ts'
import { answerMalformed } from './client-error.ts'
import { addConnectionLimits } from './connection-limits.ts'
import { docsRoutes } from './docs.routes.ts'
import { createFailureLog } from './failure-log.ts'
import { addFairTurns } from './fair-turns.ts'
import { addGracefulClose } from './graceful-close.ts'
import { addHandshakeDeadline } from './handshake-deadline.ts'
import { addHeadAnswers } from './head-answers.ts'
import { addJsonBody } from './json-body.ts'
import { addHostCheck, createKnownHosts } from './known-hosts.ts'
import { type MetricsAuth, metricsRoutes } from './metrics.routes.ts'
import { addNearestRoute } from './nearest-route.ts'
import { addNodeRouting, type OtherNodes } from './node-routing.ts'
import { addOpenApi } from './openapi.ts'
import { sendProblem, toAppError } from './problem.ts'
import { addRequestInput } from './request-input.ts'
import { addRequestLog } from './request-log.ts'
import { addRoomForUrgentWork } from './room-for-urgent-work.ts'
import { serviceRoutes } from './service.routes.ts'
import { createUnknownHostLog } from './unknown-host-log.ts'
import { addUnreadBody } from './unread-body.ts'
import { addWebsockets } from './websockets.ts'
import { addWrongMethod } from './wrong-method.ts'

export interface ServerOptions {
  readonly bodyLimitBytes: number
  /** Addresses and ranges of the proxies that are believed. */
  readonly trustProxy: readonly string[]
  /** What we listen on, and further names of ours. */
  readonly host: string
  readonly hosts: readonly string[]
  readonly metricsAuth: MetricsAuth
  readonly corsOrigins: readonly string[]
  readonly publicUrl?: string | undefined
}

export type Routes = readonly FastifyPluginAsync[]

export interface ServerDeps {
  readonly options: ServerOptions
  readonly log: Log
  readonly metrics: Metrics
  readonly health: Health
  readonly authenticate: Authenticate
  readonly recheck: Recheck
  /** With it HTTPS is spoken. */
  readonly certificate?: ServedCertificate | undefined
  readonly clock?: Clock
  readonly knownCredentials?: KnownCredentials
  /** Gives up some of what is reserved on a full disk. */
  readonly makeRoom?: (work: UrgentWork) => void
  /** Where the service has several. */
  readonly nodes?: OtherNodes | undefined
  /** The features, each with its own routes. */
  readonly routes: Routes
  /** What the features say without being asked. */
  readonly messageChannels?: readonly MessageChannel[]
}

/**
 * The life of a request, with its exits:
 *
 *   headers ─▶ for us? ─▶ caller? ─▶ body ─▶ is it well-formed? ─▶ handler ─▶ answer
 *               │ 400, 405, 421   │ 403, 429   │ 400, 413, 415   │ 422       │ the feature's own errors
 *                                 │
 *                                 └─▶ about what another node has: all of it goes there, and its answer comes back (503)
 */
export async function createServer({
  options,
  log,
  metrics,
  health,
  authenticate,
  recheck,
  certificate,
  clock = systemClock,
  knownCredentials = createKnownCredentials(),
  makeRoom = () => {},
  nodes,
  routes,
  messageChannels = [],
}: ServerDeps): Promise<FastifyInstance> {
  const app = fastify({
    genReqId: () => orderedUuid(),
    bodyLimit: options.bodyLimitBytes,
    trustProxy: [...options.trustProxy],
    // A client that says nothing is let go. A large upload may take its time, as long as something comes; other bodies have a deadline.
    requestTimeout: 0,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // `addGracefulClose` says it in our own shape.
    return503OnClosing: false,
    // Node would refuse what has no Host with an empty answer; `addHostCheck` says it in our own shape.
    ...(certificate
      ? { https: { ...certificate.current, requireHostHeader: false } }
      : { http: { requireHostHeader: false } }),
    // What fails before a route is found: URLs that can't be decoded, parameters that are far too long.
    frameworkErrors: (error, request, reply) => void sendProblem(reply as never, toAppError(error, request as never)),
    clientErrorHandler: answerMalformed,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  }) as unknown as FastifyInstance
  app.server.headersTimeout = 30_000
  if (certificate) {
    const server = app.server as unknown as HttpsServer
    certificate.onChange((renewed) => server.setSecureContext({ ...renewed }))
    addHandshakeDeadline(server)
  }
  app.setSerializerCompiler(serializerCompiler)

  const nearestRoute = addNearestRoute(app)
  const nothingAt = (method: string, path: string) => {
    const meant = nearestRoute(method, path)
    return notFound(method, path, meant && `do you mean ${meant}? /docs lists what there is.`)
  }
  const logFailure = createFailureLog(log, () => performance.now())
  app.setErrorHandler((error, request, reply) => {
    const answered = toAppError(error as never, request)
    const hasFailed = answered.status >= 500 || answered.code === 'disk-full'
    if (hasFailed) logFailure(error, answered, request.id, reply.raw.destroyed)
    return sendProblem(reply, answered)
  })
  app.setNotFoundHandler((request, reply) => sendProblem(reply, nothingAt(request.method, request.url.split('?')[0]!)))

  const giveConnections = addConnectionLimits(app)
  addUnreadBody(app)
  addHeadAnswers(app)
  addGracefulClose(app)
  addBaseUrl(app, options.publicUrl)
  addRequestLog(app, log, metrics, clock)
  await app.register(helmet, {
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    strictTransportSecurity: certificate !== undefined,
  })
  const { host, hosts, publicUrl } = options
  const isKnownHost = createKnownHosts({ host, hosts, publicUrl, certificate })
  addHostCheck(
    app,
    isKnownHost,
    createUnknownHostLog(log, () => clock.now()),
  )
  if (options.corsOrigins.length > 0) {
    const origin = options.corsOrigins.includes('*') ? true : [...options.corsOrigins]
    await app.register(cors, {
      delegator: async ({ headers }: FastifyRequest) => ({
        origin,
        methods: ['GET', 'POST', 'PATCH', 'DELETE'],
        exposedHeaders: ['link', 'retry-after', 'x-aerie-missing-nodes'],
        maxAge: 600,
        // Any other OPTIONS is a method like others, which no path takes.
        preflight: Boolean(headers.origin && headers['access-control-request-method']),
      }),
    })
  }
  await addWebsockets(app)
  addAuthentication(app, authenticate, recheck, clock, knownCredentials)
  giveConnections()
  addFairTurns(app, knownCredentials)
  if (nodes) addNodeRouting(app, nodes)
  addRoomForUrgentWork(app, makeRoom)
  addRequestInput(app)
  addJsonBody(app)
  const refuseWrongMethods = addWrongMethod(app)
  addDeprecation(app)
  await addOpenApi(app)

  const ownRoutes = [
    serviceRoutes({ health, messageChannels }),
    metricsRoutes({ metrics, auth: options.metricsAuth, authenticate }),
    docsRoutes,
  ]
  for (const plugin of [...ownRoutes, ...routes]) await app.register(plugin)
  refuseWrongMethods()
  return app
}

/** What is deprecated was so from the first release on. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 15) / 1000

/** Deprecated routes say so, since when (RFC 9745 §2.1), and what to use instead. */
function addDeprecation(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    const { successor } = request.routeOptions.config
    if (!successor) return
    const params = (request.params ?? {}) as Readonly<Record<string, string>>
    const target = successor.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    const links = [reply.getHeader('link'), `<${target}>; rel="successor-version"`]
    reply.header('deprecation', `@${DEPRECATED_SINCE}`).header('link', links.filter(Boolean).join(', '))
  })
}
