import { randomBytes } from 'node:crypto'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath, streamOfPreview } from '../core/media-path.ts'
import { createSharedPlaces } from '../core/shared-places.ts'
import { createStandingRights } from '../core/standing-rights.ts'
import { type Access, type FromWebrtc, type ToWebrtc, type WebrtcOffer, type WebrtcOptions } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Grant } from '../streams/grants.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { alwaysRestart } from '../supervise/restart-policy.ts'
import { isRefusal, type WatchAccess, type WatchQuestion } from './watch-access.ts'
import { type WatchCredentials } from './watch-credentials.ts'

export interface WebrtcDeps {
  readonly options: WebrtcOptions
  readonly access: WatchAccess
  readonly owners: { find(username: string): Promise<Account | undefined> }
  /** Paths that are live only while somebody watches them. */
  readonly previews: { hold(path: string): Promise<() => void> }
  readonly streams: Pick<Streams, 'livePaths' | 'grant'>
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

/** WebRTC of every live path, by one gateway process that is there from the first offer on. */
export interface Webrtc {
  /** Rejects with an `AppError`. */
  answer(question: WebrtcQuestion): Promise<{ readonly sessionId: string; readonly sdp: string }>
  /** Rejects when there was no such session of that path lately. */
  end(sessionId: string, path: string): Promise<void>
  readonly sessionCount: number
  close(): Promise<void>
}

interface Session {
  readonly path: string
  readonly grant: Grant
  readonly settle: (outcome: FromWebrtc | 'gateway-died') => void
  readonly letGo: () => void
}

/** An offer that may be answered. */
interface Admission {
  readonly right: WatchQuestion
  readonly granted: Access
  readonly owner: Account
  readonly letGoOfPath: () => void
}

const ANSWER_WITHIN_MS = 10_000
/** Ended sessions that are remembered. */
const MAX_ENDED = 1_000
/** Offers that wait for their answers, half of them for streams of one owner at most; what comes beyond is asked to come again. */
const MAX_WAITING = 100

export function createWebrtc(deps: WebrtcDeps): Webrtc {
  const { options, access, owners, previews, streams, clock, log } = deps
  const sessions = new Map<string, Session>()
  /** The paths of those that ended lately: whoever takes leave of one did nothing wrong, the stream was just faster. */
  const ended = new Map<string, string>()
  const rights = createStandingRights({
    ask: (right: WatchQuestion) => access({ ...right, isAgain: true }),
    isRefusal,
    identityOf: ({ action, path, credentials, address }) =>
      JSON.stringify([action, path, credentials.key, credentials.token, address]),
    clock,
  })
  let gateway: Child<ToWebrtc> | undefined
  /** What was asked while the gateway was away; as bounded as `places` are. */
  const unsent: ToWebrtc[] = []
  const places = createSharedPlaces(MAX_WAITING)
  let isClosed = false

  function startGateway(): Child<ToWebrtc> {
    return startChild<ToWebrtc, FromWebrtc>({
      name: 'webrtc gateway',
      entry: new URL('../media/webrtc/worker.js', import.meta.url),
      clock,
      log,
      restart: alwaysRestart,
      onStart(send) {
        send({ type: 'start', options })
        for (const message of unsent.splice(0)) send(message)
      },
      onMessage(message) {
        if (message.type === 'ended') {
          log.info({ path: sessions.get(message.id)?.path, reason: message.reason }, 'a WebRTC session ended')
          return forget(message.id)
        }
        sessions.get(message.id)?.settle(message)
      },
      onExit() {
        for (const [id, { settle }] of sessions) {
          settle('gateway-died')
          forget(id)
        }
      },
    })
  }

  function tell(message: ToWebrtc): void {
    gateway ??= startGateway()
    if (gateway.pid === undefined) unsent.push(message)
    else gateway.send(message)
  }

  function forget(id: string): void {
    const session = sessions.get(id)
    if (!session) return
    sessions.delete(id)
    ended.set(id, session.path)
    if (ended.size > MAX_ENDED) ended.delete(ended.keys().next().value!)
    session.letGo()
    session.grant.revoke()
  }

  async function ask(
    offer: WebrtcOffer,
    right: WatchQuestion,
    grant: Grant,
    letGoOfPath: () => void,
  ): Promise<FromWebrtc | 'gateway-died' | 'too-late'> {
    const { id, path } = offer
    let timer: NodeJS.Timeout | undefined
    const outcome = await new Promise<FromWebrtc | 'gateway-died' | 'too-late'>((settle) => {
      timer = setTimeout(() => settle('too-late'), ANSWER_WITHIN_MS)
      const letGoOfRight = rights.hold(right, ({ message: reason }) => tell({ type: 'end', id, reason }))
      const letGo = () => {
        letGoOfRight()
        letGoOfPath()
      }
      sessions.set(id, { path, grant, settle, letGo })
      tell({ type: 'offer', offer })
    })
    clearTimeout(timer)
    return outcome
  }

  async function negotiate(
    { kind, path, sdp }: WebrtcQuestion,
    { right, granted, owner, letGoOfPath }: Admission,
  ): Promise<{ sessionId: string; sdp: string }> {
    const id = randomBytes(18).toString('base64url')
    // A publisher counts as itself, though it reaches the hub through our gateway. Who watches shares one reader of ours.
    const client = kind === 'publish' ? { ...granted, principal: `webrtc:${granted.principal}` } : undefined
    const grant = streams.grant(right.action, path, client)
    const outcome = await ask({ id, kind, path, url: grant.url, sdp }, right, grant, letGoOfPath)
    if (typeof outcome === 'object' && outcome.type === 'answer') return { sessionId: id, sdp: outcome.sdp }
    if (outcome === 'too-late') tell({ type: 'end', id, reason: 'it took too long' })
    forget(id)
    throw typeof outcome === 'object' && outcome.type === 'refused' ? refusalOf(outcome, path, owner) : unavailable()
  }

  function checkSessions({ username, limits }: Account): AppError | undefined {
    const count = [...sessions.values()].filter(({ path }) => ownerOfPath(path) === username).length
    if (count < limits.maxWebrtcSessions) return undefined
    return new AppError('webrtc-session-limit-reached', { username, limit: limits.maxWebrtcSessions })
  }

  function refusalOf(refused: Extract<FromWebrtc, { type: 'refused' }>, path: string, owner: Account): AppError {
    const { sentence } = refused
    switch (refused.reason) {
      case 'offer-invalid':
        return new AppError('offer-invalid', { reason: sentence })
      case 'cannot-carry':
        return new AppError('webrtc-cannot-carry', { reason: sentence, hls_url: deps.hlsUrl(path) })
      case 'not-live':
        return new AppError('stream-not-live', { path })
      case 'path-in-use':
        return new AppError('stream-path-in-use', { path })
      case 'limit-reached':
        return new AppError('published-stream-limit-reached', {
          username: owner.username,
          limit: owner.limits.maxSources,
        })
      case 'full':
        return new AppError('webrtc-full', {}, { retryAfterSeconds: 10 })
      case 'unavailable':
        log.warn({ path, reason: sentence }, 'a WebRTC offer could not be answered')
        return unavailable()
    }
  }

  return {
    async answer(question) {
      const { kind, path, credentials, address } = question
      // Whoever may read a stream may see its preview.
      const right =
        kind === 'watch'
          ? ({ action: 'read', path: streamOfPreview(path) ?? path, credentials, address } as const)
          : ({ action: 'publish', path, credentials, address } as const)
      const granted = await access(right)
      const owner = await owners.find(ownerOfPath(path))
      if (!owner) throw new AppError('stream-not-live', { path })
      if (isClosed) throw new AppError('shutting-down')
      const letGoOfPath = kind === 'watch' ? await previews.hold(path) : () => {}
      const leavePlace = places.take(owner.id)
      const refusal =
        kind === 'watch' && !streams.livePaths.isLive(path)
          ? new AppError('stream-not-live', { path })
          : leavePlace
            ? checkSessions(owner)
            : new AppError('webrtc-full', {}, { retryAfterSeconds: 1 })
      if (refusal) {
        letGoOfPath()
        leavePlace?.()
        throw refusal
      }
      return negotiate(question, { right, granted, owner, letGoOfPath }).finally(leavePlace)
    },
    async end(sessionId, path) {
      // Who knows a session's address was given it with the answer; nobody could guess it.
      if (ended.get(sessionId) === path) return
      if (sessions.get(sessionId)?.path !== path) throw new AppError('webrtc-session-not-found')
      tell({ type: 'end', id: sessionId, reason: 'it was asked to' })
    },
    get sessionCount() {
      return sessions.size
    },
    async close() {
      isClosed = true
      rights.close()
      await gateway?.stop()
    },
  }
}

function unavailable(): AppError {
  return new AppError('webrtc-unavailable', {}, { retryAfterSeconds: 1 })
}
