import { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { shortened } from '../core/sentences.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { createRefusedRequestLog } from './refused-request-log.ts'

/** A URL has up to 16 kB; it is masked whole, since a cut may take what a password is known by. */
const MAX_PATH_LENGTH = 500

/**
 * One line and one count for each request. Reading is routine (debug); what changes something, or failed, is worth a line,
 * as long as one address does not fill the log by what it is refused.
 */
export function addRequestLog(app: FastifyInstance, log: Log, metrics: Metrics, clock: Clock = systemClock): void {
  const refused = createRefusedRequestLog(log, clock)
  app.addHook('onClose', async () => refused.close())
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const status = reply.statusCode
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    metrics.countRequest({ method, route, status, seconds: reply.elapsedTime / 1000 })
    const level = method === 'GET' && status < 400 ? 'debug' : 'info'
    // Masking a long URL takes time, and most lines are not written.
    if (log.isLevelEnabled(level) && (status < 400 || refused.takesLine(request.ip)))
      log[level]({ ...aboutOf(request), status, ms: Math.round(reply.elapsedTime) }, 'request')
  })
  // Who leaves before the request is whole gets no response.
  app.addHook('onRequestAbort', async (request) => {
    if (log.isLevelEnabled('info') && refused.takesLine(request.ip)) log.info(aboutOf(request), 'request cut off')
  })
}

const aboutOf = ({ id, method, url, ip, account }: FastifyRequest) => ({
  request_id: id,
  method,
  path: shortened(maskSecrets(url), MAX_PATH_LENGTH),
  address: ip,
  username: account?.username,
})
