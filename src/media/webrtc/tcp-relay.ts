import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import { withoutMapping } from '../../core/ip-address.ts'
import { type AdmissionLimits, createConnectionAdmission } from '../connection-admission.ts'

/**
 * ICE over TCP (RFC 6544, passive) for browsers whose network lets no UDP through. The WebRTC library takes browsers by
 * UDP only, so each connection's frames (RFC 4571) go as datagrams to its port, from a port of their own, and back. The library
 * answers whom it knows: a connection that it has not answered is pending, and whatever that sends keeps it no place.
 */
export interface TcpRelay {
  readonly port: number
  close(): Promise<void>
}

export interface TcpRelayOptions {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  readonly udpAddress: string
  readonly udpPort: number
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

/** STUN, DTLS and RTP all fit into a datagram of a common network. */
const MAX_FRAME_BYTES = 1_500
/** What waits for a slow browser; the rest is lost, as it would be by UDP. */
const MAX_WAITING_BYTES = 512 * 1024
/** ICE asks every few seconds whether the other end is still there, and is answered. */
const SILENT_MS = 15_000

export async function openTcpRelay(options: TcpRelayOptions): Promise<TcpRelay> {
  const { host, port } = options
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
    relay(socket, options, () => {
      admitted.grant({ account: address, isInternal: false })
      admitted.setStreaming(true)
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function relay(socket: Socket, options: TcpRelayOptions, onAnswered: () => void): void {
  const { udpAddress, udpPort, silentMs = SILENT_MS } = options
  let udp: UdpSocket | undefined
  let silence: NodeJS.Timeout | undefined
  const splitter = createFrameSplitter()
  const end = () => socket.destroy()
  socket.on('error', end)
  socket.once('close', () => {
    clearTimeout(silence)
    udp?.close()
  })
  socket.on('data', (chunk) => {
    const frames = splitter.push(chunk)
    if (!frames) return end()
    for (const frame of frames) {
      // Whatever does not begin as ICE does is none of ours.
      if (!udp && !isStun(frame)) return end()
      udp ??= openUdp()
      udp.send(frame, udpPort, udpAddress)
    }
  })

  function hear(): void {
    if (silence) return void silence.refresh()
    onAnswered()
    silence = setTimeout(end, silentMs)
  }

  function openUdp(): UdpSocket {
    const opened = createSocket(isIPv6(udpAddress) ? 'udp6' : 'udp4')
    opened.on('error', end)
    opened.on('message', (datagram, from) => {
      // Anybody may send to the port; only the library answers.
      if (from.port !== udpPort || from.address !== udpAddress) return
      hear()
      if (socket.writableLength > MAX_WAITING_BYTES || socket.destroyed) return
      const frame = Buffer.allocUnsafe(2 + datagram.length)
      frame.writeUInt16BE(datagram.length)
      datagram.copy(frame, 2)
      socket.write(frame)
    })
    return opened
  }
}

/** RFC 8489 §5: a binding request with the magic cookie. */
function isStun(frame: Buffer): boolean {
  return frame.length >= 20 && frame.readUInt16BE(0) === 1 && frame.readUInt32BE(4) === 0x2112a442
}

export interface FrameSplitter {
  /** The frames that are complete now; undefined when one is too long, and nothing after it can be told. */
  push(chunk: Buffer): Buffer[] | undefined
}

/** RFC 4571 §2: each frame behind its length in two bytes. */
export function createFrameSplitter(): FrameSplitter {
  /** Never more than a frame and its length. */
  let rest: Buffer = Buffer.alloc(0)
  return {
    push(chunk) {
      const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const frames: Buffer[] = []
      let at = 0
      while (at + 2 <= data.length) {
        const length = data.readUInt16BE(at)
        if (length > MAX_FRAME_BYTES) return undefined
        if (at + 2 + length > data.length) break
        if (length > 0) frames.push(data.subarray(at + 2, at + 2 + length))
        at += 2 + length
      }
      rest = Buffer.from(data.subarray(at))
      return frames
    },
  }
}
