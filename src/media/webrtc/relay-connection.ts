import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { isIPv6, type Socket } from 'node:net'
import { createDeadline } from '../../core/deadline.ts'
import { plainAddress } from '../../core/ip-address.ts'
import { createTimeSlice } from '../time-slice.ts'
import { createFrameSplitter } from './frame-splitter.ts'
import { isStun, sessionNamedBy } from './stun.ts'

/** What waits for a slow browser; the rest is lost, as it would be by UDP. */
const MAX_WAITING_BYTES = 512 * 1024
/** ICE asks every few seconds whether the other end is still there, and is answered. */
const SILENT_MS = 15_000
/** Of a connection that the library has not answered. Its first request is enough for that; the rest waits until then. */
const MAX_UNANSWERED_FRAMES = 32
/** Frames may be of a byte each, and each is a datagram. */
const MAX_PER_SLICE = { maxSteps: 64, maxMs: 5 }

/** A connection's place in its session; undefined when there is no such session, or no more room in it. */
export type JoinSession = (ufrag: string) => JoinedSession | undefined

export interface JoinedSession {
  /** The library knows it. */
  answered(): void
  /** The library sends more by it than STUN. */
  carriesMedia(): void
}

export interface RelayOptions {
  readonly udpAddress: string
  readonly udpPort: number
  /** Without an answer of the library for so long, it knows the browser no more. */
  readonly silentMs?: number
}

/** One browser's frames to the library's port as datagrams, and back. */
export function relayConnection(socket: Socket, options: RelayOptions, joinSession: JoinSession): void {
  const { udpAddress, udpPort, silentMs = SILENT_MS } = options
  let udp: UdpSocket | undefined
  let joined: JoinedSession | undefined
  let isAnswered = false
  let unansweredFrames = 0
  const libraryAddress = plainAddress(udpAddress)
  const splitter = createFrameSplitter()
  const slice = createTimeSlice(MAX_PER_SLICE)
  const end = () => void socket.destroy()
  const silence = createDeadline(end)
  socket.on('error', end)
  socket.once('close', () => {
    silence.clear()
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
      const mustWait = !isAnswered && ++unansweredFrames >= MAX_UNANSWERED_FRAMES
      if (!mustWait && !slice.isOverAfterStep()) continue
      socket.pause()
      if (!mustWait) setImmediate(work)
      return
    }
  }

  function join(frame: Buffer): JoinedSession | undefined {
    const ufrag = sessionNamedBy(frame)
    return ufrag === undefined ? undefined : joinSession(ufrag)
  }

  function noteAnswer(session: JoinedSession): void {
    silence.set(silentMs)
    if (isAnswered) return
    isAnswered = true
    session.answered()
    if (unansweredFrames >= MAX_UNANSWERED_FRAMES) work()
  }

  function openUdp(session: JoinedSession): UdpSocket {
    const opened = createSocket(isIPv6(udpAddress) ? 'udp6' : 'udp4')
    opened.on('error', end)
    opened.on('message', (datagram, from) => {
      // Anybody may send to the port; only the library answers.
      if (from.port !== udpPort) return
      if (from.address !== libraryAddress && plainAddress(from.address) !== libraryAddress) return
      noteAnswer(session)
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
