import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { plainAddress, withoutMapping } from '../../core/ip-address.ts'
import { type AdmissionLimits, type AdmittedConnection, createConnectionAdmission } from '../connection-admission.ts'
import { createTurn } from '../turn.ts'
import { isStun, sessionNamedBy } from './stun.ts'

/**
 * ICE over TCP (RFC 6544, passive) for browsers whose network lets no UDP through. The WebRTC library takes browsers by
 * UDP only, so each connection's frames (RFC 4571) go as datagrams to its port, from a port of their own, and back. The first
 * names its session. The library answers whom it knows: a connection that it has not answered is pending, and whatever that sends keeps
 * it no place, and little of it is read. Of those it has answered, the one by which a session's media go keeps its place; the others
 * make room where somebody has more of them than anybody else.
 */
export interface TcpRelay {
  readonly port: number
  /** The session is over: its media keep no place any more. Its connections end when the library answers them no more. */
  endSession(ufrag: string): void
  close(): Promise<void>
}

export interface TcpRelayOptions {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  readonly udpAddress: string
  readonly udpPort: number
  /** Whose stream the session is of that has this name in our answer (`a=ice-ufrag`); undefined when there is none. */
  readonly accountOf: (ufrag: string) => string | undefined
  readonly limits?: Partial<AdmissionLimits>
  /** Without an answer of the library for so long, it knows the browser no more. */
  readonly silentMs?: number
}

const DEFAULT_LIMITS: AdmissionLimits = {
  maxConnections: 500,
  // Many browsers may come from behind one address.
  maxPerAddress: 200,
  maxPendingPerAddress: 32,
  reserved: 0,
  setupMs: 10_000,
}

/** Browsers try each of their addresses with each of ours, and go on with one. */
const MAX_PER_SESSION = 8
/** STUN, DTLS and RTP all fit into a datagram of a common network. */
const MAX_FRAME_BYTES = 1_500
/** What waits for a slow browser; the rest is lost, as it would be by UDP. */
const MAX_WAITING_BYTES = 512 * 1024
/** ICE asks every few seconds whether the other end is still there, and is answered. */
const SILENT_MS = 15_000
/** Of a connection that the library has not answered. Its first request is enough for that; the rest waits until then. */
const MAX_UNANSWERED_FRAMES = 32
/** Frames may be of a byte each, and each is a datagram. */
const MAX_IN_A_TURN = { maxSteps: 64, maxMs: 5 }

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
    relay(socket, options, (ufrag) => {
      const session = joinSession(ufrag)
      if (!session) return undefined
      socket.once('close', () => leaveSession(ufrag, session, admitted))
      return {
        answered: () => admitted.grant({ account: session.account, isInternal: false }),
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

/** A connection's place in its session; undefined when there is no such session, or no more room in it. */
type JoinSession = (ufrag: string) => JoinedSession | undefined

interface JoinedSession {
  /** The library knows it. */
  answered(): void
  /** The library sends more by it than STUN. */
  carriesMedia(): void
}

function relay(socket: Socket, options: TcpRelayOptions, joinSession: JoinSession): void {
  const { udpAddress, udpPort, silentMs = SILENT_MS } = options
  let udp: UdpSocket | undefined
  let joined: JoinedSession | undefined
  let silence: NodeJS.Timeout | undefined
  let unansweredFrames = 0
  const libraryAddress = plainAddress(udpAddress)
  const splitter = createFrameSplitter()
  const turn = createTurn(MAX_IN_A_TURN)
  const end = () => void socket.destroy()
  socket.on('error', end)
  socket.once('close', () => {
    clearTimeout(silence)
    udp?.close()
  })
  socket.on('data', (chunk) => {
    splitter.push(chunk)
    work()
  })

  /** Until all is handed on, or it is the others' turn, or the library has to answer first. */
  function work(): void {
    while (!socket.destroyed) {
      const frame = splitter.next()
      if (!frame) return void socket.resume()
      if (frame === 'too-long') return end()
      // Whatever does not begin as ICE does, of a session that is there, is none of ours.
      joined ??= join(frame)
      if (!joined) return end()
      udp ??= openUdp(joined)
      if (frame.length > 0) udp.send(frame, udpPort, udpAddress)
      const mustWait = !silence && ++unansweredFrames >= MAX_UNANSWERED_FRAMES
      if (!mustWait && !turn.isOverAfterStep()) continue
      socket.pause()
      if (!mustWait) setImmediate(work)
      return
    }
  }

  function join(frame: Buffer): JoinedSession | undefined {
    const ufrag = sessionNamedBy(frame)
    return ufrag === undefined ? undefined : joinSession(ufrag)
  }

  function hear(session: JoinedSession): void {
    if (silence) return void silence.refresh()
    session.answered()
    silence = setTimeout(end, silentMs)
    if (unansweredFrames >= MAX_UNANSWERED_FRAMES) work()
  }

  function openUdp(session: JoinedSession): UdpSocket {
    const opened = createSocket(isIPv6(udpAddress) ? 'udp6' : 'udp4')
    opened.on('error', end)
    opened.on('message', (datagram, from) => {
      // Anybody may send to the port; only the library answers.
      if (from.port !== udpPort) return
      if (from.address !== libraryAddress && plainAddress(from.address) !== libraryAddress) return
      hear(session)
      if (!isStun(datagram)) session.carriesMedia()
      if (socket.writableLength > MAX_WAITING_BYTES || socket.destroyed) return
      const frame = Buffer.allocUnsafe(2 + datagram.length)
      frame.writeUInt16BE(datagram.length)
      datagram.copy(frame, 2)
      socket.write(frame)
    })
    return opened
  }
}

export interface FrameSplitter {
  push(chunk: Buffer): void
  /** The next that is complete, which may be empty; after one that is too long nothing can be told. */
  next(): Buffer | 'too-long' | undefined
}

/** RFC 4571 §2: each frame behind its length in two bytes. */
export function createFrameSplitter(): FrameSplitter {
  let data: Buffer = Buffer.alloc(0)
  let at = 0
  return {
    push(chunk) {
      const rest = data.subarray(at)
      data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      at = 0
    },
    next() {
      const length = at + 2 <= data.length ? data.readUInt16BE(at) : 0
      if (length > MAX_FRAME_BYTES) return 'too-long'
      const end = at + 2 + length
      if (end <= data.length) {
        const frame = data.subarray(at + 2, end)
        at = end
        return frame
      }
      // Of a large chunk a few bytes may be left.
      data = Buffer.from(data.subarray(at))
      at = 0
      return undefined
    },
  }
}
