import { type ConnectionAdmission, createConnectionAdmission } from '../../connection-admission.ts'
import { type Hub } from '../../hub.ts'
import { type Certificate, type Client, createListener } from '../../listener.ts'
import { type ProtocolServer } from '../../protocol-server.ts'
import { createWaitingBytes, type WaitingBytes } from '../../waiting-bytes.ts'
import { createRefusalLog } from '../../../observe/refusal-log.ts'
import { createConnection, type Connection, type Timeouts } from './connection.ts'
import { type Log } from './log.ts'
import { createMuxerPool } from './muxer-pool.ts'

export interface RtmpServerOptions {
  readonly hub: Pick<Hub, 'publish' | 'subscribe'>
  readonly host: string
  /** 0 is any free one. */
  readonly port: number
  /** With it the server speaks RTMPS. */
  readonly tls?: Certificate
  /** Shared by all protocols; one of its own when missing. */
  readonly admission?: ConnectionAdmission
  /** Likewise. */
  readonly waitingBytes?: WaitingBytes
  readonly log: Log
  /** Wall-clock time in ms since the epoch. */
  readonly now?: () => number
  readonly limits?: Partial<RtmpLimits>
  readonly timeouts?: Partial<Timeouts>
}

export interface RtmpLimits {
  /** What may wait for a reader, beside what it began with, before it is let go. */
  readonly maxQueuedBytes: number
}

const DEFAULT_LIMITS: RtmpLimits = { maxQueuedBytes: 8 * 1024 * 1024 }
const DEFAULT_TIMEOUTS: Timeouts = { idleMs: 10_000, publisherMs: 10_000 }

export function createRtmpServer(options: RtmpServerOptions): ProtocolServer {
  const { hub, tls, log, now = Date.now } = options
  const { admission = createConnectionAdmission(), waitingBytes = createWaitingBytes() } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const muxers = createMuxerPool()
  const refusals = createRefusalLog(log, now)
  const connections = new Set<Connection>()
  const listener = createListener({
    ...options,
    tls,
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
    listen: () => listener.listen(),
    async close() {
      const closed = listener.close()
      for (const connection of connections) connection.close()
      await closed
    },
  }
}
