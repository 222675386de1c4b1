import { type FastifyRequest } from 'fastify'
import { processOf } from './about-process.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The node that has what a request is about, by its name: as the address says, or as is written down. Undefined where any node can
     * answer, or where the process of the request says which (`aboutProcess`). Strangers may ask: what they make up costs no look-up.
     */
    aboutNode?: (request: FastifyRequest) => string | undefined | Promise<string | undefined>
  }
}

/** What a request is about, where not every node can answer it. */
export type RequestSubject = { readonly nodeId: string } | { readonly processId: string }

/** Undefined when any node can answer. Addresses name nodes as they like: one that is not known counts as none. */
export async function subjectOf(
  request: FastifyRequest,
  isKnown: (nodeId: string) => boolean,
): Promise<RequestSubject | undefined> {
  const nodeId = await request.routeOptions.config.aboutNode?.(request)
  if (nodeId !== undefined && isKnown(nodeId)) return { nodeId }
  const processId = await processOf(request)
  return processId === undefined ? undefined : { processId }
}
