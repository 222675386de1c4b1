import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type ProtocolServer } from '../protocol-server.ts'
import { type Connection, createConnection } from './connection.ts'
import { createFanOut } from './fan-out.ts'
import { createRefusalLog } from './refusal-log.ts'
import { type ServerContext } from './server-context.ts'
import { defaultLimits, defaultTimeouts, type RtspServerOptions } from './settings.ts'
import { createUdpPorts } from './udp-pair.ts'

/** RTSP 1.0 (RFC 2326): publishing by ANNOUNCE and RECORD, reading by DESCRIBE and PLAY, media by TCP or UDP. */
export function createRtspServer(options: RtspServerOptions): ProtocolServer {
  const { hub, log, now = () => performance.now(), tls } = options
  const limits = { ...defaultLimits, ...options.limits }
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const context: ServerContext = {
    hub,
    log,
    refusals: createRefusalLog(log, now),
    limits,
    timeouts,
    now,
    fanOut: createFanOut(),
    udpPorts: createUdpPorts(limits.maxUdpTracks, options.udpPortRange),
  }
  const sockets = new Set<Socket>()
  const perAddress = new Map<string, number>()
  const connections = new Set<Connection>()
  let checks: NodeJS.Timeout | undefined

  /** Counts every socket, those included whose TLS handshake has not ended. */
  function admit(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const sameAddress = perAddress.get(address) ?? 0
    if (sockets.size >= limits.maxConnections || sameAddress >= limits.maxConnectionsPerAddress) {
      context.refusals.note({ remoteAddress: address, connections: sockets.size }, 'There are too many connections.')
      socket.destroy()
      return
    }
    sockets.add(socket)
    perAddress.set(address, sameAddress + 1)
    socket.once('close', () => {
      sockets.delete(socket)
      const left = perAddress.get(address)! - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    })
  }

  function serve(socket: Socket): void {
    if (socket.destroyed) return
    const connection = createConnection(socket, tls !== undefined, context)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  }

  const server: Server = tls
    ? createTlsServer({ ...tls, handshakeTimeout: timeouts.requestMs }, serve)
    : createServer(serve)
  // Registered first, so that a socket is counted before it is served.
  server.prependListener('connection', admit)
  server.on('tlsClientError', (_error, socket: Socket) => socket.destroy())

  return {
    listen() {
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(options.port, options.host, () => {
          server.off('error', reject)
          checks = setInterval(() => {
            for (const connection of connections) connection.check(now())
          }, timeouts.checkEveryMs)
          server.on('error', (error) => log.warn({ err: error }, 'The RTSP server could not accept a connection.'))
          resolve({ port: (server.address() as AddressInfo).port })
        })
      })
    },
    async close() {
      clearInterval(checks)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
      context.fanOut.close()
    },
  }
}
