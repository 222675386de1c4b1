import { type FastifyInstance, type FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The process that a request is about: its node answers. A route with `:process_uuid` in its path need not say so; `false` says that
     * any node can answer.
     */
    aboutProcess?: false | ((request: FastifyRequest) => string | undefined | Promise<string | undefined>)
  }
}

/** Before the routes are added. */
export function addAboutProcess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!/\/:process_uuid(\/|$)/.test(route.url)) return
    route.config = { aboutProcess: fromPath, ...route.config }
  })
}

/** Its process_uuid, as the client wrote it; undefined when the request is about none. */
export async function processOf(request: FastifyRequest): Promise<string | undefined> {
  const { aboutProcess } = request.routeOptions.config
  return aboutProcess ? aboutProcess(request) : undefined
}

const fromPath = ({ params }: FastifyRequest) => (params as { readonly process_uuid: string }).process_uuid
