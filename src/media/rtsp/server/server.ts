import { checkEvery } from '../../../core/clock.ts'
import { createConnectionAdmission } from '../../connection-admission.ts'
import { type Client, createListener } from '../../listener.ts'
import { type ProtocolServer, type ProtocolServerOptions } from '../../protocol-server.ts'
import { createWaitingBytes } from '../../waiting-bytes.ts'
import { createRefusalLog } from '../../../observe/refusal-log.ts'
import { type Connection, createConnection } from './connection.ts'
import { createFanOut } from './fan-out.ts'
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS, type RtspLimits, type RtspTimeouts } from './limits.ts'
import { type ServerContext } from './server-context.ts'
import { type Pair } from '../wire/transport-header.ts'
import { createUdpPorts } from '../wire/udp-pair.ts'

export interface RtspServerOptions extends ProtocolServerOptions {
  /** UDP ports for media, from and to; any free ones when missing. A firewall wants to know them. */
  readonly udpPortRange?: Pair
  readonly limits?: Partial<RtspLimits>
  readonly timeouts?: Partial<RtspTimeouts>
  /** Milliseconds from any origin; only differences count, so by default a monotonic clock. */
  readonly now?: () => number
}

/**
 * RTSP 1.0 (RFC 2326): publishing by ANNOUNCE and RECORD, reading by DESCRIBE and PLAY, media by TCP or UDP. Who came by TLS has media
 * by TCP only, so that nothing of it is sent unencrypted.
 */
export function createRtspServer(options: RtspServerOptions): ProtocolServer {
  const { hub, log, now = () => performance.now(), admission = createConnectionAdmission() } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
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
  let stopChecks: (() => void) | undefined

  function serve(client: Client): void {
    const connection = createConnection(client, context)
    connections.add(connection)
    client.socket.once('close', () => connections.delete(connection))
  }

  function checkAll(nowMs: number): void {
    for (const connection of connections) connection.check(nowMs)
  }

  const listener = createListener({
    host: options.host,
    admission,
    refusals: context.refusals,
    serve,
    onError: (error) => log.warn({ err: error }, 'The RTSP server could not accept a connection.'),
  })

  return {
    async listen(port) {
      const opened = await listener.listen(port)
      stopChecks ??= checkEvery(timeouts.checkEveryMs, now, checkAll)
      return opened
    },
    async close() {
      stopChecks?.()
      const closed = listener.close()
      for (const connection of connections) connection.destroy()
      await closed
      context.fanOut.close()
    },
  }
}
