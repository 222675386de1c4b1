import { type FastifyInstance, type HTTPMethods } from 'fastify'
import { AppError } from '../core/errors.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Remembers every route that is added; call what it answers when all are there, and other methods of their paths are 405. */
export function addWrongMethod(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, { readonly url: string; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    // Whatever is at all paths is no endpoint: preflights, and the console's files.
    if (url === '*' || url === '/*') return
    const shape = url.replace(/:[^/]+/g, ':').replace(/(?<=.)\/$/, '')
    const known = methodsOf.get(shape) ?? { url, methods: new Set() }
    methodsOf.set(shape, known)
    for (const one of [method].flat()) known.methods.add(one)
  })
  return () => {
    for (const { url, methods } of [...methodsOf.values()]) refuseOthers(app, url, [...methods].sort())
  }
}

function refuseOthers(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  const allow = allowed.join(', ')
  const others = METHODS.filter((method) => !allowed.includes(method))
  if (others.length === 0) return
  app.route({
    method: others,
    url,
    schema: { hide: true },
    // Which methods there are is in the documentation: nothing to keep from strangers.
    config: { isPublic: true },
    exposeHeadRoute: false,
    async onRequest(request, reply) {
      reply.header('allow', allow)
      throw new AppError('method-not-allowed', { method: request.method, path: request.url.split('?')[0], allow })
    },
    handler: () => undefined,
  })
}
