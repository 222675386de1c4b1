import { randomBytes } from 'node:crypto'
import { type Account } from '../core/account.ts'
import { cameraFaultFor } from '../core/camera-fault.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath, streamOfPreview } from '../core/media-path.ts'
import { createSharedPlaces } from '../core/shared-places.ts'
import { createStandingRights } from '../core/standing-rights.ts'
import { type Access } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Streams } from '../streams/streams.module.ts'
import { isRefusal, type WatchAccess, type WatchQuestion } from './watch-access.ts'
import { type WatchCredentials } from './watch-credentials.ts'
import { type GatewayHandlers, type WebrtcGateway } from './webrtc-gateway.ts'
import { toWebrtcError, webrtcUnavailable } from './webrtc-refusal.ts'
import { createWebrtcSessions } from './webrtc-sessions.ts'

export interface WebrtcDeps {
  readonly createGateway: (handlers: GatewayHandlers) => WebrtcGateway
  readonly access: WatchAccess
  readonly owners: { find(username: string): Promise<Account | undefined> }
  /** Paths that are live only while somebody watches them. */
  readonly previews: { hold(path: string): Promise<() => void> }
  readonly streams: Pick<Streams, 'grant' | 'canBeRead' | 'cameraFault'>
  readonly hlsUrl: (path: string) => string
  readonly clock: Clock
  readonly log: Log
}

export interface WebrtcQuestion {
  readonly kind: 'watch' | 'publish'
  readonly path: string
  readonly sdp: string
  readonly credentials: WatchCredentials
  readonly address: string
}

/** WebRTC of every live path, by one gateway process that runs from the first offer on. */
export interface Webrtc {
  /** Rejects with an `AppError`. */
  answer(question: WebrtcQuestion): Promise<{ readonly sessionId: string; readonly sdp: string }>
  /** Rejects when there was no such session of that path lately. */
  end(sessionId: string, path: string): Promise<void>
  close(): Promise<void>
}

/** An offer that may be answered. */
interface Admission {
  readonly right: WatchQuestion
  readonly granted: Access
  readonly owner: Account
  readonly releasePath: () => void
}

/** Offers that wait for their answers, half of them for streams of one owner at most; clients retry beyond that. */
const MAX_WAITING = 100

export function createWebrtc(deps: WebrtcDeps): Webrtc {
  const { access, owners, previews, streams, clock, log } = deps
  const sessions = createWebrtcSessions()
  const rights = createStandingRights({
    ask: (right: WatchQuestion) => access({ ...right, isAgain: true }),
    isRefusal,
    identityOf: ({ action, path, credentials, address }) =>
      JSON.stringify([action, path, credentials.key, credentials.token, address]),
    clock,
  })
  const places = createSharedPlaces(MAX_WAITING)
  let isClosed = false
  /** The gateway tries again at every offer; that its port is taken is logged once. */
  const loggedSentences = new Set<string>()
  const gateway = deps.createGateway({
    onMessage(message) {
      if (message.type === 'not-listening') return logOnce(message.sentence)
      if (message.type !== 'ended') return sessions.settle(message.id, message)
      log.info({ path: sessions.pathOf(message.id), reason: message.reason }, 'a WebRTC session ended')
      sessions.end(message.id)
    },
    onExit: () => sessions.endAll('gateway-died'),
  })

  function logOnce(sentence: string): void {
    if (!loggedSentences.has(sentence)) log.warn(sentence)
    loggedSentences.add(sentence)
  }

  async function negotiate(
    { kind, path, sdp }: WebrtcQuestion,
    { right, granted, owner, releasePath }: Admission,
  ): Promise<{ sessionId: string; sdp: string }> {
    const id = randomBytes(18).toString('base64url')
    // A publisher counts as itself, though it reaches the hub through our gateway. Viewers share one reader of ours.
    const purpose =
      kind === 'publish'
        ? { onBehalfOf: { ...granted, principal: `webrtc:${granted.principal}` } }
        : { isForViewers: true }
    const grant = streams.grant(right.action, path, purpose)
    const releaseRight = rights.hold(right, ({ message: reason }) => gateway.send({ type: 'end', id, reason }))
    const answered = sessions.open(id, path, () => {
      releaseRight()
      releasePath()
      grant.revoke()
    })
    gateway.send({ type: 'offer', offer: { id, kind, path, url: grant.url, sdp } })
    const outcome = await answered
    if (typeof outcome === 'object' && outcome.type === 'answer') return { sessionId: id, sdp: outcome.sdp }
    if (outcome === 'too-late') gateway.send({ type: 'end', id, reason: 'it took too long' })
    sessions.end(id)
    if (typeof outcome !== 'object' || outcome.type !== 'refused') throw webrtcUnavailable()
    if (outcome.reason === 'unavailable')
      log.warn({ path, reason: outcome.sentence }, 'a WebRTC offer could not be answered')
    const fault = streams.cameraFault(path)
    throw toWebrtcError(outcome, {
      path,
      owner,
      hlsUrl: deps.hlsUrl(path),
      cameraFault: fault === undefined ? undefined : cameraFaultFor(granted, fault),
    })
  }

  function checkSessions({ username, limits }: Account): AppError | undefined {
    if (sessions.countOf(username) < limits.maxWebrtcSessions) return undefined
    return new AppError('webrtc-session-limit-reached', { username, limit: limits.maxWebrtcSessions })
  }

  return {
    async answer(question) {
      const { kind, path, credentials, address } = question
      // An account that may read a stream may see its preview.
      const right =
        kind === 'watch'
          ? ({ action: 'read', path: streamOfPreview(path) ?? path, credentials, address } as const)
          : ({ action: 'publish', path, credentials, address } as const)
      const granted = await access(right)
      const owner = await owners.find(ownerOfPath(path))
      if (!owner) throw new AppError('stream-not-live', { path })
      if (isClosed) throw new AppError('shutting-down')
      const releasePath = kind === 'watch' ? await previews.hold(path) : () => {}
      const leavePlace = places.take(owner.id)
      const refusal =
        kind === 'watch' && !streams.canBeRead(path)
          ? new AppError('stream-not-live', { path })
          : leavePlace
            ? checkSessions(owner)
            : new AppError('webrtc-full', {}, { retryAfterSeconds: 1 })
      if (refusal) {
        releasePath()
        leavePlace?.()
        throw refusal
      }
      return negotiate(question, { right, granted, owner, releasePath }).finally(leavePlace)
    },
    async end(sessionId, path) {
      // A client knows a session's address from our answer; nobody could guess it.
      if (sessions.hasEnded(sessionId, path)) return
      if (sessions.pathOf(sessionId) !== path) throw new AppError('webrtc-session-not-found')
      gateway.send({ type: 'end', id: sessionId, reason: 'it was asked to' })
    },
    async close() {
      isClosed = true
      rights.close()
      await gateway.close()
    },
  }
}
