import { type Log } from '../observe/log.ts'

/** One line when NATS goes away, and one when it is back. */
export interface NatsOutageLog {
  onAway(reason: string): void
  /** It has been there again since then. */
  onBack(sinceMs: number): void
}

export function createNatsOutageLog(log: Pick<Log, 'warn'>, now: () => number): NatsOutageLog {
  let awaySinceMs: number | undefined

  return {
    onAway(reason) {
      if (awaySinceMs !== undefined) return
      awaySinceMs = now()
      log.warn(
        { reason },
        'NATS is away: requests for what other nodes have are answered by 503, all that this node has goes on',
      )
    },
    onBack(sinceMs) {
      if (awaySinceMs === undefined) return
      log.warn({ away_ms: Math.round(sinceMs - awaySinceMs) }, 'NATS is back')
      awaySinceMs = undefined
    },
  }
}
