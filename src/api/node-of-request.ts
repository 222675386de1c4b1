import { type FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { subjectOf } from './about-node.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a request that begins something: the node that is to have it. Undefined where any can answer. */
    chooseNode?: ((request: FastifyRequest) => Promise<string | undefined>) | undefined
  }
}

export interface NodeOfRequestDeps {
  /** This one. */
  readonly nodeId: string
  /** Whether there is another one of this name. */
  readonly isKnown: (nodeId: string) => boolean
  readonly processes: {
    /** `nowhere` until it was given to a node. */
    find(processId: string): Promise<'here' | 'nowhere' | { readonly nodeId: string }>
  }
}

const RETRY_AFTER_SECONDS = 2

/** The node that has what a request is about; undefined when it is this one, or any can answer. */
export function createNodeOfRequest({ nodeId, isKnown, processes }: NodeOfRequestDeps) {
  return async (request: FastifyRequest, isPassedOn: boolean): Promise<string | undefined> => {
    const { chooseNode } = request.routeOptions.config
    if (chooseNode) {
      // It was chosen where it came from.
      const chosen = isPassedOn ? undefined : await chooseNode(request)
      return chosen === nodeId ? undefined : chosen
    }
    const subject = await subjectOf(request, isKnown)
    if (subject === undefined) return undefined
    if ('nodeId' in subject) return subject.nodeId === nodeId ? undefined : subject.nodeId
    const place = await processes.find(subject.processId)
    if (place === 'nowhere')
      throw new AppError(
        'node-changing',
        { retry_after_seconds: RETRY_AFTER_SECONDS },
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    return place === 'here' ? undefined : place.nodeId
  }
}
