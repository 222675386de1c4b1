import { type FastifyPluginAsync } from 'fastify'
import { listErrors, titleOf } from '../core/errors.ts'
import { type MessageChannel } from '../core/message-channel.ts'
import { once } from '../core/once.ts'
import { type Health } from '../observe/health.ts'
import { asyncApiDocument } from './asyncapi.ts'

export interface ServiceRouteDeps {
  readonly health: Health
  readonly messageChannels: readonly MessageChannel[]
}

/** For those who run the service rather than use it: health, the list of errors, the documents of the API. */
export function serviceRoutes({ health, messageChannels }: ServiceRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const options = { config: { isPublic: true }, schema: { hide: true } }
    const healthOptions = { ...options, config: { isPublic: true, isForAnyHost: true } }

    app.get('/healthz', healthOptions, async () => ({ status: 'ok' }))

    app.get('/readyz', healthOptions, async (_request, reply) => {
      const { isReady, checks } = await health.report()
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks })
    })

    // Made when the first one asks, once: anybody may ask, as often as they like.
    const errors = once(() => Buffer.from(errorPage()))
    const openApi = once(() => Buffer.from(JSON.stringify(app.swagger())))
    const asyncApi = once(() => Buffer.from(JSON.stringify(asyncApiDocument(messageChannels))))

    app.get('/errors', options, async (_request, reply) => reply.type('text/html; charset=utf-8').send(errors()))

    app.get('/openapi.json', options, async (_request, reply) => reply.type(JSON_TYPE).send(openApi()))

    app.get('/asyncapi.json', options, async (_request, reply) => reply.type(JSON_TYPE).send(asyncApi()))
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

function errorPage(): string {
  const rows = listErrors().map(
    ({ code, status, message }) =>
      `<tr id="${code}"><td>${status}</td><td><code>${code}</code><br>${titleOf(code)}</td><td>${message}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Aerie: errors</title><h1>Errors</h1><table>
<tr><th>status</th><th>code</th><th>detail</th></tr>${rows.join('\n')}</table></html>`
}
