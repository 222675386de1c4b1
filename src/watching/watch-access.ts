import { AppError } from '../core/errors.ts'
import { type AccessAnswer, type AccessQuestion, type Protocol } from '../media/messages.ts'

/** What a browser or a player has to show. */
export interface WatchCredentials {
  readonly key?: string | undefined
  readonly token?: string | undefined
}

/** Throws what the caller is told. */
export interface WatchAccess {
  mayRead(path: string, credentials: WatchCredentials, remoteAddress: string): Promise<void>
  mayPublish(path: string, credentials: WatchCredentials, remoteAddress: string): Promise<void>
}

/** Who may watch and publish is decided as for every client of the media server; here the answer becomes one of HTTP. */
export function createWatchAccess(
  protocol: Protocol,
  decide: (question: AccessQuestion) => Promise<AccessAnswer>,
): WatchAccess {
  async function ask(
    action: 'read' | 'publish',
    path: string,
    shown: WatchCredentials,
    remoteAddress: string,
  ): Promise<void> {
    const request = { credentials: toCredentials(shown), remoteAddress, protocol }
    const answer = await decide({ action, path, request })
    if ('access' in answer) return
    const { reason, sentence } = answer.refusal
    if (reason === 'credentials-needed') throw new AppError('api-key-missing')
    throw new AppError('watching-refused', { sentence })
  }

  return {
    mayRead: (path, shown, address) => ask('read', path, shown, address),
    mayPublish: (path, shown, address) => ask('publish', path, shown, address),
  }
}

function toCredentials({ key, token }: WatchCredentials): AccessQuestion['request']['credentials'] {
  if (key) return { kind: 'key', key }
  return token ? { kind: 'token', token } : { kind: 'none' }
}
