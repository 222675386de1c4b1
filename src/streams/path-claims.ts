import { AppError } from '../core/errors.ts'
import { streamOfPreview } from '../core/media-path.ts'
import { type Protocol } from '../media/messages.ts'
import { type DecideAccess } from './media-access.ts'

/** One publisher a path, over all nodes: what the hub sees to on one, the cluster does between them. */
export interface PathClaims {
  /** False when somebody else publishes there, on another node. Never rejects. */
  take(path: string, principal: string, protocol: Protocol): Promise<boolean>
  /** A publisher that had taken it has never been live. */
  unused(path: string): void
}

/** Of a node that is alone: the hub knows all publishers. */
export const NO_CLAIMS: PathClaims = { take: async () => true, unused: () => {} }

/**
 * Claims the path for a publisher that has the right to it, before the hub takes it. Previews are no node's but that of the process
 * that draws them, and relays are no publications.
 */
export function withClaims(decide: DecideAccess, claims: () => PathClaims): DecideAccess {
  return async (question) => {
    const answer = await decide(question)
    const { action, path, isAgain, request } = question
    const isPublisher = action === 'publish' && !isAgain && streamOfPreview(path) === undefined
    if (!isPublisher || !('access' in answer) || answer.access.isRelay) return answer
    if (await claims().take(path, answer.access.principal, request.protocol)) return answer
    const { message } = new AppError('stream-path-in-use', { path })
    return { refusal: { reason: 'path-in-use', sentence: message } }
  }
}
