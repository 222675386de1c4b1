import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { withoutMapping } from '../../core/ip-address.ts'
import { type AdmissionLimits, type AdmittedConnection, createConnectionAdmission } from '../connection-admission.ts'
import { relayConnection, type RelayOptions } from './relay-connection.ts'

/**
 * ICE over TCP (RFC 6544, passive) for browsers whose network lets no UDP through. The WebRTC library takes browsers by
 * UDP only, so each connection's frames (RFC 4571) go as datagrams to its port, from a port of their own, and back. The first
 * names its session. The library answers the sessions that it knows: a connection that it has not answered is pending, and
 * whatever that sends keeps it no place, and little of it is read. Of those it has answered, the one by which a session's media
 * go keeps its place; the others make room where an account has more of them than any other.
 */
export interface TcpRelay {
  readonly port: number
  /** The session is over: its media keep no place any more. Its connections end when the library answers them no more. */
  endSession(ufrag: string): void
  close(): Promise<void>
}

export interface TcpRelayOptions extends RelayOptions {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  /** The owner of the stream whose session has this name in our answer (`a=ice-ufrag`); undefined when there is none. */
  readonly accountOf: (ufrag: string) => string | undefined
  readonly limits?: Partial<AdmissionLimits>
}

const DEFAULT_LIMITS: Omit<AdmissionLimits, 'cameraMs'> = {
  maxConnections: 500,
  // Many browsers may come from behind one address.
  maxPerAddress: 200,
  maxPendingPerAddress: 32,
  reserved: 0,
  setupMs: 10_000,
}

/** Browsers try each of their addresses with each of ours, and go on with one. */
const MAX_PER_SESSION = 8

/** The connections of one ICE session. */
interface RelayedSession {
  readonly account: string
  connections: number
  /** By which media go: one at a time. */
  streaming?: AdmittedConnection | undefined
  isOver: boolean
}

export async function openTcpRelay(options: TcpRelayOptions): Promise<TcpRelay> {
  const { host, port, accountOf } = options
  const sessions = new Map<string, RelayedSession>()
  const admission = createConnectionAdmission({ ...DEFAULT_LIMITS, ...options.limits })
  const sockets = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (socket) => {
    const address = withoutMapping(socket.remoteAddress ?? '')
    const admitted = admission.admit(address, () => socket.destroy())
    if (!admitted) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      admitted.leave()
    })
    relayConnection(socket, options, (ufrag) => {
      const session = joinSession(ufrag)
      if (!session) return undefined
      socket.once('close', () => leaveSession(ufrag, session, admitted))
      return {
        answered: () => admitted.accept({ account: session.account, isInternal: false }),
        carriesMedia: () => stream(session, admitted),
      }
    })
  })

  function joinSession(ufrag: string): RelayedSession | undefined {
    const account = accountOf(ufrag)
    if (account === undefined) return undefined
    const session = sessions.get(ufrag) ?? { account, connections: 0, isOver: false }
    if (session.connections >= MAX_PER_SESSION) return undefined
    session.connections++
    sessions.set(ufrag, session)
    return session
  }

  function leaveSession(ufrag: string, session: RelayedSession, admitted: AdmittedConnection): void {
    if (session.streaming === admitted) session.streaming = undefined
    if (--session.connections === 0) sessions.delete(ufrag)
  }

  function stream(session: RelayedSession, admitted: AdmittedConnection): void {
    if (session.streaming === admitted || session.isOver) return
    session.streaming?.setStreaming(false)
    session.streaming = admitted
    admitted.setStreaming(true)
  }

  server.listen(port, host)
  await once(server, 'listening')
  // A connection that could not be accepted, for want of file descriptors for one, is lost; those that are open are not.
  server.on('error', () => {})
  return {
    port: (server.address() as AddressInfo).port,
    endSession(ufrag) {
      const session = sessions.get(ufrag)
      if (!session) return
      session.isOver = true
      session.streaming?.setStreaming(false)
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
