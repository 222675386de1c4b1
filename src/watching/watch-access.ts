import { AppError } from '../core/errors.ts'
import { type AccessAnswer, type AccessQuestion, type Protocol } from '../media/messages.ts'
import { type WatchAccess } from './hls-viewers.ts'

/** Who may watch is decided as for every reader of the media server; here the answer becomes one of HTTP. */
export function createWatchAccess(
  protocol: Protocol,
  decide: (question: AccessQuestion) => Promise<AccessAnswer>,
): WatchAccess {
  return {
    async mayRead(path, { key, token }, remoteAddress) {
      const credentials = key
        ? { kind: 'key' as const, key }
        : token
          ? { kind: 'token' as const, token }
          : { kind: 'none' as const }
      const answer = await decide({ action: 'read', path, request: { credentials, remoteAddress, protocol } })
      if ('access' in answer) return
      const { reason, sentence } = answer.refusal
      if (reason === 'credentials-needed') throw new AppError('api-key-missing')
      throw new AppError('watching-refused', { sentence })
    },
  }
}
