import { systemClock } from '../../../core/clock.ts'
import { type Client } from '../../listener.ts'
import { createPlayPace } from '../../play-pace.ts'
import { type Answer, RtspFailure, type RtspRequest } from '../wire/message.ts'
import { type ClientSocket } from './client-socket.ts'
import { createGatekeeper } from './gatekeeper.ts'
import { createMethods } from './methods.ts'
import { type ServerContext } from './server-context.ts'
import { createSessionActivity } from './session-activity.ts'
import { createSessionRole } from './session-role.ts'
import { parseStreamUrl } from './stream-url.ts'

/** The dialogue of a client and the server in one connection. */
export interface Session {
  /** Never rejects for what a client does. */
  answer(request: RtspRequest): Promise<Answer>
  frame(channel: number, data: Buffer): void
  /** Why the connection has to end; undefined while all is well. */
  check(nowMs: number): string | undefined
  close(reason: string): void
}

export function createSession(
  socket: ClientSocket,
  context: ServerContext,
  { onCameraCalled, onAccepted, onStreaming }: Pick<Client, 'onCameraCalled' | 'onAccepted' | 'onStreaming'>,
): Session {
  const { log, limits, timeouts, now, refusals } = context
  const { remoteAddress } = socket
  const activity = createSessionActivity({ timeouts, now, onStreaming })
  const gatekeeper = createGatekeeper({
    remoteAddress,
    maxWrong: limits.maxWrongCredentials,
    nonceMs: timeouts.nonceMs,
    now,
    onAccepted(accepted) {
      activity.accept()
      onAccepted(accepted)
    },
  })
  const role = createSessionRole({ socket, context, gatekeeper, activity, onCameraCalled })
  const playPace = createPlayPace({ ...systemClock, steady: now })
  const methods = createMethods({ role, activity, playPace, sessionMs: timeouts.sessionMs, remoteAddress, log })

  function checkHeaders({ headers, method }: RtspRequest): void {
    if (!headers.has('cseq')) throw new RtspFailure(400, 'A request needs a CSeq.')
    const required = headers.get('require')
    if (required) throw new RtspFailure(551, 'An extension is not known here.', [['Unsupported', required]])
    if (!Object.hasOwn(methods, method)) throw new RtspFailure(501, 'This method is not known here.')
    const sessionId = headers.get('session')?.split(';')[0]?.trim()
    const isOutside = method === 'OPTIONS' || method === 'DESCRIBE' || method === 'ANNOUNCE'
    if (sessionId && !isOutside && sessionId !== role.current?.id)
      throw new RtspFailure(454, 'There is no such session.')
  }

  function toAnswer(error: unknown, request: RtspRequest): Answer {
    if (!(error instanceof RtspFailure)) {
      log.warn({ err: error, method: request.method, remoteAddress }, 'A request failed.')
      return { status: 500 }
    }
    // The first 401 of a connection is how every client learns that credentials are needed.
    const isChallenge = error.status === 401 && !request.headers.has('authorization')
    const { status, message, headers, phrase } = error
    if (!isChallenge && !gatekeeper.hasRefusedWorker)
      refusals.note({ method: request.method, status, remoteAddress, why: message }, 'A request was refused.')
    return { status, isLast: gatekeeper.tooManyFailures, ...(headers && { headers }), ...(phrase && { phrase }) }
  }

  return {
    async answer(request) {
      activity.request()
      if (role.current?.kind === 'play') role.current.touch()
      try {
        checkHeaders(request)
        return await methods[request.method]!(request, parseStreamUrl(request.url))
      } catch (error) {
        return toAnswer(error, request)
      }
    },
    frame: (channel, data) => role.current?.frame(channel, data),
    check(nowMs) {
      if (activity.isStartOverdue(nowMs)) return 'nothing was published or played'
      if (role.current) return role.current.check(nowMs)
      return activity.isSilent(nowMs) ? 'no sign of life' : undefined
    },
    close: (reason) => role.close(reason),
  }
}
