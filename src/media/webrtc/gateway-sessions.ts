import { ownerOfPath } from '../../core/media-path.ts'
import { GatewayRefusal } from './gateway-refusal.ts'
import { type Peer } from './peer.ts'

/** The viewer or the publisher of a session. */
export interface SessionWork {
  start(): void
  /** Once a second: why the session has to end, if it has. */
  tick(nowMs: number): string | undefined
  close(): void
}

/** One browser's session, from its offer on. */
export interface GatewaySession {
  readonly path: string
  /** What it uses of the hub is released with it; may be called more than once. */
  hold(release: () => void): void
  /** From now on the session lasts as long as its peer does. */
  connect(peer: Peer, work: SessionWork): void
  /** The answer is about to be sent. Throws when the session has ended meanwhile. */
  setAnswer(sdp: string): void
  /** The offer is not answered. Nothing is reported: its caller knows. */
  discard(): void
}

export interface GatewaySessions {
  /** Throws when there are too many, on this path or together. */
  open(id: string, path: string): GatewaySession
  /** Nothing happens when there is no such session. */
  end(id: string, reason: string): void
  endAll(reason: string): void
  /** Once a second. */
  tick(nowMs: number): void
  /** The owner of the path whose session has this name in our answer (`a=ice-ufrag`). */
  accountOf(ufrag: string): string | undefined
  readonly count: number
}

export interface GatewaySessionOptions {
  readonly limits: { readonly sessions: number; readonly sessionsPerPath: number }
  /** A session that had been answered is over; `ufrag` is the `a=ice-ufrag` of that answer. */
  readonly onEnded: (id: string, reason: string, ufrag: string | undefined) => void
  readonly now: () => number
}

interface OpenSession extends GatewaySession {
  readonly isAnswered: boolean
  /** Of our answer. */
  readonly ufrag: string | undefined
  tick(nowMs: number): string | undefined
  close(): void
}

const CONNECT_TIMEOUT_MS = 10_000

export function createGatewaySessions({ limits, onEnded, now }: GatewaySessionOptions): GatewaySessions {
  const sessions = new Map<string, OpenSession>()

  function createSession(id: string, path: string): OpenSession {
    const sinceMs = now()
    let isAnswered = false
    let isConnected = false
    let peer: Peer | undefined
    let work: SessionWork | undefined
    let ufrag: string | undefined
    let release = () => {}

    function close(): void {
      work?.close()
      peer?.close()
      release()
    }

    return {
      path,
      hold: (added) => void (release = added),
      connect(addedPeer, addedWork) {
        peer = addedPeer
        work = addedWork
        peer.onGone((reason) => end(id, reason))
        peer.onConnected(() => {
          isConnected = true
          addedWork.start()
        })
      },
      setAnswer(sdp) {
        if (!sessions.has(id)) throw new GatewayRefusal('not-live', 'The stream ended meanwhile.')
        isAnswered = true
        ufrag = /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1]
      },
      discard() {
        sessions.delete(id)
        close()
      },
      get isAnswered() {
        return isAnswered
      },
      get ufrag() {
        return ufrag
      },
      tick(nowMs) {
        if (isConnected) return work?.tick(nowMs)
        return nowMs - sinceMs > CONNECT_TIMEOUT_MS ? 'it did not connect' : undefined
      },
      close,
    }
  }

  function end(id: string, reason: string): void {
    const session = sessions.get(id)
    if (!session) return
    sessions.delete(id)
    session.close()
    // Before the answer its offer is refused instead, by `setAnswer`.
    if (session.isAnswered) onEnded(id, reason, session.ufrag)
  }

  return {
    open(id, path) {
      const onPath = [...sessions.values()].filter((session) => session.path === path).length
      if (sessions.size >= limits.sessions || onPath >= limits.sessionsPerPath)
        throw new GatewayRefusal('full', 'As many watch as can be served.')
      const session = createSession(id, path)
      sessions.set(id, session)
      return session
    },
    end,
    endAll(reason) {
      for (const id of [...sessions.keys()]) end(id, reason)
    },
    tick(nowMs) {
      for (const [id, session] of sessions) {
        const reason = session.tick(nowMs)
        if (reason) end(id, reason)
      }
    },
    accountOf(ufrag) {
      for (const session of sessions.values()) if (session.ufrag === ufrag) return ownerOfPath(session.path)
      return undefined
    },
    get count() {
      return sessions.size
    },
  }
}
