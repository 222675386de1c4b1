import { createConnectionAdmission } from '../../connection-admission.ts'
import { type Client, createListener } from '../../listener.ts'
import { type ProtocolServer } from '../../protocol-server.ts'
import { createWaitingBytes } from '../../waiting-bytes.ts'
import { createRefusalLog } from '../../../observe/refusal-log.ts'
import { type Connection, createConnection } from './connection.ts'
import { createFanOut } from './fan-out.ts'
import { type ServerContext } from './server-context.ts'
import { defaultLimits, defaultTimeouts, type RtspServerOptions } from './settings.ts'
import { createUdpPorts } from '../wire/udp-pair.ts'

/** RTSP 1.0 (RFC 2326): publishing by ANNOUNCE and RECORD, reading by DESCRIBE and PLAY, media by TCP or UDP. */
export function createRtspServer(options: RtspServerOptions): ProtocolServer {
  const { hub, log, now = () => performance.now(), tls, admission = createConnectionAdmission() } = options
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
    udpPorts: createUdpPorts({
      maxPairs: limits.maxUdpTracks,
      maxPairsPerAccount: limits.maxUdpTracksPerAccount,
      portRange: options.udpPortRange,
    }),
    waitingBytes: options.waitingBytes ?? createWaitingBytes(),
  }
  const connections = new Set<Connection>()
  let checks: NodeJS.Timeout | undefined

  function serve(client: Client): void {
    const connection = createConnection(client, tls !== undefined, context)
    connections.add(connection)
    client.socket.once('close', () => connections.delete(connection))
  }

  function checkAll(atMs: number): void {
    for (const connection of connections) connection.check(atMs)
  }

  const listener = createListener({
    ...options,
    tls,
    admission,
    refusals: context.refusals,
    serve,
    onError: (error) => log.warn({ err: error }, 'The RTSP server could not accept a connection.'),
  })

  return {
    async listen() {
      const listening = await listener.listen()
      // After what waits to be read: a server that stood still for a while has not heard yet who is alive. By the time before
      // that, because it may stand still while it reads, too.
      checks = setInterval(() => setImmediate(checkAll, now()), timeouts.checkEveryMs)
      return listening
    },
    async close() {
      clearInterval(checks)
      const closed = listener.close()
      for (const connection of connections) connection.destroy()
      await closed
      context.fanOut.close()
    },
  }
}
