import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type Pair } from './transport-header.ts'

/**
 * The two UDP ports of a track, RTP on an even one and RTCP on the next (RFC 3550 §11). Receives from and sends to one host
 * only, that of the RTSP connection. A client's ports are those that it named when it was set up: other processes at its address, behind
 * the same NAT or on the same machine, neither receive nor send. A camera may send from a port that it did not name, which
 * counts from then on. Until a port is known, nothing is sent.
 */
export interface UdpPair {
  readonly ports: Pair
  sendRtp(data: Buffer): void
  sendRtcp(data: Buffer): void
  /** A client learns the server's ports only after it has bound its own. */
  setPeerPorts(ports: Pair): void
  close(): void
}

export interface UdpPairOptions {
  /** Our address on the RTSP connection: datagrams must leave from it. */
  readonly localAddress: string
  readonly peerAddress: string
  /** Those of a client; a camera's are known later. */
  readonly peerPorts?: Pair | undefined
  /** From and to, inclusive; any free ports when undefined. */
  readonly portRange?: Pair | undefined
  readonly onRtp: (data: Buffer) => void
  readonly onRtcp: (data: Buffer) => void
}

const ATTEMPTS = 50
/** Room for a large keyframe at once; the kernel may grant less. */
const BUFFER_BYTES = 2 * 1024 * 1024
/** Datagrams beyond this are dropped, as a full network would do. */
const MAX_QUEUED_BYTES = 4 * 1024 * 1024

/** Hands out pairs of ports, no more than so many at a time. */
export interface UdpPorts {
  /** Undefined when all are taken, or all that this account may have. */
  take(account: string, options: Omit<UdpPairOptions, 'portRange'>): Promise<UdpPair | undefined>
}

export interface UdpPortLimits {
  readonly maxPairs: number
  readonly maxPairsPerAccount: number
  readonly portRange?: Pair | undefined
}

export function createUdpPorts({ maxPairs, maxPairsPerAccount, portRange }: UdpPortLimits): UdpPorts {
  const takenBy = new Map<string, number>()
  let taken = 0

  function count(account: string, change: 1 | -1): void {
    taken += change
    const left = (takenBy.get(account) ?? 0) + change
    if (left > 0) takenBy.set(account, left)
    else takenBy.delete(account)
  }

  return {
    async take(account, options) {
      if (taken >= maxPairs || (takenBy.get(account) ?? 0) >= maxPairsPerAccount) return undefined
      count(account, 1)
      try {
        const pair = await bindUdpPair({ ...options, portRange })
        let isOpen = true
        const close = () => {
          if (isOpen) count(account, -1)
          isOpen = false
          pair.close()
        }
        return { ...pair, close }
      } catch {
        count(account, -1)
        return undefined
      }
    },
  }
}

export async function bindUdpPair(options: UdpPairOptions): Promise<UdpPair> {
  for (let attempt = 1; ; attempt++) {
    const rtp = createPort(options, options.peerPorts?.[0], options.onRtp)
    const rtcp = createPort(options, options.peerPorts?.[1], options.onRtcp)
    try {
      const port = await rtp.bind(randomEvenPort(options.portRange))
      if (port % 2 === 0) {
        await rtcp.bind(port + 1)
        return {
          ports: [port, port + 1],
          sendRtp: (data) => rtp.send(data),
          sendRtcp: (data) => rtcp.send(data),
          setPeerPorts(ports) {
            rtp.setPeerPort(ports[0])
            rtcp.setPeerPort(ports[1])
          },
          close() {
            rtp.close()
            rtcp.close()
          },
        }
      }
    } catch (error) {
      if (attempt >= ATTEMPTS) throw error
    }
    rtp.close()
    rtcp.close()
  }
}

interface UdpPort {
  bind(port: number): Promise<number>
  send(data: Buffer): void
  setPeerPort(port: number): void
  close(): void
}

function createPort(options: UdpPairOptions, peerPort: number | undefined, onData: (data: Buffer) => void): UdpPort {
  const { localAddress, peerAddress } = options
  const isNamed = peerPort !== undefined
  let port = peerPort
  let hasHeard = false
  let isClosed = false
  const socket = createSocket({
    type: isIPv6(localAddress) ? 'udp6' : 'udp4',
    recvBufferSize: BUFFER_BYTES,
    sendBufferSize: BUFFER_BYTES,
    // Addresses are numbers already; this keeps the resolver, and a round of the event loop, out of every send.
    lookup: (address, _options, done) => done(null, address, isIPv6(address) ? 6 : 4),
  })
  // A datagram that could not be sent is a lost datagram; the session's own timeout ends a peer that is gone.
  socket.on('error', () => {})
  socket.on('message', (data, from) => {
    if (!isFromPeer(from)) return
    onData(data)
  })

  function isFromPeer(from: RemoteInfo): boolean {
    if (from.address !== peerAddress) return false
    if (from.port !== port) {
      if (isNamed || hasHeard) return false
      port = from.port
    }
    hasHeard = true
    return true
  }

  return {
    bind: (localPort) => bind(socket, localPort, localAddress),
    send(data) {
      if (isClosed || port === undefined || socket.getSendQueueSize() >= MAX_QUEUED_BYTES) return
      socket.send(data, port, peerAddress)
    },
    setPeerPort: (named) => void (hasHeard || (port = named)),
    close() {
      if (isClosed) return
      isClosed = true
      socket.close()
    },
  }
}

function bind(socket: Socket, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ port, address, exclusive: true }, () => {
      socket.off('error', reject)
      resolve(socket.address().port)
    })
  })
}

function randomEvenPort(range: Pair | undefined): number {
  if (!range) return 0
  const first = Math.ceil(range[0] / 2)
  const pairs = Math.floor((range[1] + 1) / 2) - first
  return 2 * (first + Math.floor(Math.random() * Math.max(pairs, 1)))
}
