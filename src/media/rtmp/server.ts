import { createServer, type AddressInfo, type Socket } from 'node:net'
import { type Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Hub } from '../hub.ts'
import { type ProtocolServer } from '../protocol-server.ts'
import { createConnection, type Connection, type Timeouts } from './connection.ts'
import { type Log } from './log.ts'
import { createMuxerPool } from './muxer-pool.ts'

export interface RtmpServerOptions {
  readonly hub: Pick<Hub, 'publish' | 'subscribe'>
  readonly host: string
  /** 0 is any free one. */
  readonly port: number
  /** With these it speaks RTMPS. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer }
  readonly log: Log
  /** Wall-clock time in ms since the epoch. */
  readonly now?: () => number
  readonly limits?: Partial<RtmpLimits>
  readonly timeouts?: Partial<Timeouts>
}

export interface RtmpLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** What may wait for a reader before it is let go. */
  readonly maxQueuedBytes: number
}

const DEFAULT_LIMITS: RtmpLimits = {
  maxConnections: 2000,
  maxConnectionsPerAddress: 200,
  maxQueuedBytes: 8 * 1024 * 1024,
}
const DEFAULT_TIMEOUTS: Timeouts = { setupMs: 10_000, publisherMs: 10_000 }
/** Finds readers and publishers whose network has gone without a word. */
const KEEP_ALIVE_MS = 30_000

export function createRtmpServer(options: RtmpServerOptions): ProtocolServer {
  const { hub, host, port, log, now = Date.now } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const secureContext = options.tls && createSecureContext(options.tls)
  const muxers = createMuxerPool()
  const connections = new Set<Connection>()
  const countByAddress = new Map<string, number>()
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, accept)

  return {
    async listen() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve()
        })
      })
      server.on('error', (error) => log.warn({ err: error }, 'The RTMP server could not take a connection.'))
      return { port: (server.address() as AddressInfo).port }
    },
    async close() {
      if (!server.listening) return
      const isClosed = new Promise((resolve) => server.close(resolve))
      for (const connection of connections) connection.close()
      await isClosed
    },
  }

  function accept(socket: Socket): void {
    const remoteAddress = plainAddress(socket.remoteAddress ?? '')
    const count = (countByAddress.get(remoteAddress) ?? 0) + 1
    if (connections.size >= limits.maxConnections || count > limits.maxConnectionsPerAddress) {
      log.warn({ remoteAddress }, 'A connection was refused: there are too many already.')
      return void socket.destroy()
    }
    countByAddress.set(remoteAddress, count)
    const connection = createConnection({
      socket: secured(socket),
      hub,
      muxers,
      remoteAddress,
      log,
      now,
      timeouts,
      maxQueuedBytes: limits.maxQueuedBytes,
      onClosed() {
        connections.delete(connection)
        forget(remoteAddress)
      },
    })
    connections.add(connection)
  }

  function secured(socket: Socket): Duplex {
    if (!secureContext) return socket
    const secure = new TLSSocket(socket, { isServer: true, secureContext })
    // Without TLS around it, what is left is a bare connection that nobody speaks on.
    secure.once('close', () => socket.destroy())
    socket.on('error', () => secure.destroy())
    return secure
  }

  function forget(remoteAddress: string): void {
    const left = countByAddress.get(remoteAddress)! - 1
    if (left > 0) countByAddress.set(remoteAddress, left)
    else countByAddress.delete(remoteAddress)
  }
}

/** An IPv4 client of an IPv6 socket looks like `::ffff:192.0.2.1`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
