import { createConnectionAdmission } from '../../connection-admission.ts'
import { type Client, createListener } from '../../listener.ts'
import { type ProtocolServer, type ProtocolServerOptions } from '../../protocol-server.ts'
import { createWaitingBytes } from '../../waiting-bytes.ts'
import { createRefusalLog } from '../../../observe/refusal-log.ts'
import { createConnection, type Connection } from './connection.ts'
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS, type RtmpLimits, type RtmpTimeouts } from './limits.ts'
import { createMuxerPool } from './muxer-pool.ts'

export interface RtmpServerOptions extends ProtocolServerOptions {
  /** Wall-clock time in ms since the epoch. */
  readonly now?: () => number
  readonly limits?: Partial<RtmpLimits>
  readonly timeouts?: Partial<RtmpTimeouts>
}

export function createRtmpServer(options: RtmpServerOptions): ProtocolServer {
  const { hub, log, now = Date.now } = options
  const { admission = createConnectionAdmission(), waitingBytes = createWaitingBytes() } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const muxers = createMuxerPool()
  const refusals = createRefusalLog(log, now)
  const connections = new Set<Connection>()
  const listener = createListener({
    host: options.host,
    admission,
    refusals,
    serve,
    onError: (error) => log.warn({ err: error }, 'The RTMP server could not take a connection.'),
  })

  function serve(client: Client): void {
    const connection = createConnection({
      ...client,
      hub,
      muxers,
      log,
      refusals,
      now,
      timeouts,
      waitingBytes,
      maxQueuedBytes: limits.maxQueuedBytes,
      onClosed: () => void connections.delete(connection),
    })
    connections.add(connection)
  }

  return {
    listen: (port) => listener.listen(port),
    async close() {
      const closed = listener.close()
      for (const connection of connections) connection.close()
      await closed
    },
  }
}
