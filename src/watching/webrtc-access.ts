import { AppError } from '../core/errors.ts'
import { type AccessAnswer, type AccessQuestion } from '../media/messages.ts'
import { type WebrtcCredentials, type WebrtcDeps } from './webrtc.service.ts'

/** Who may watch and publish is decided as for every client of the media server; here the answer becomes one of HTTP. */
export function createWebrtcAccess(decide: (question: AccessQuestion) => Promise<AccessAnswer>): WebrtcDeps['access'] {
  async function ask(
    action: 'read' | 'publish',
    path: string,
    credentials: WebrtcCredentials,
    remoteAddress: string,
  ): Promise<void> {
    const answer = await decide({
      action,
      path,
      request: { credentials: toMediaCredentials(credentials), remoteAddress, protocol: 'webrtc' },
    })
    if ('access' in answer) return
    const { reason, sentence } = answer.refusal
    if (reason === 'credentials-needed') throw new AppError('api-key-missing')
    throw new AppError('watching-refused', { sentence })
  }

  return {
    mayRead: (path, credentials, address) => ask('read', path, credentials, address),
    mayPublish: (path, credentials, address) => ask('publish', path, credentials, address),
  }
}

function toMediaCredentials({ key, token }: WebrtcCredentials): AccessQuestion['request']['credentials'] {
  if (token) return { kind: 'token', token }
  return key ? { kind: 'key', key } : { kind: 'none' }
}
