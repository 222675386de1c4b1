import { type Log } from '../observe/log.ts'

/** One line when the database goes away, and one when it is back. */
export interface OutageLog {
  onFailure(error: Error): void
  onSuccess(): void
}

/** One that answers some and not others, as when too much is asked of it, is not back yet. */
const CALM_MS = 1_000

export function createOutageLog(log: Pick<Log, 'warn'>, now: () => number): OutageLog {
  let outage: { readonly sinceMs: number; failedAtMs: number } | undefined

  return {
    onFailure({ message }) {
      if (!outage)
        log.warn({ reason: message }, 'the database is away: what needs it waits, requests are answered by 503')
      outage = { sinceMs: outage?.sinceMs ?? now(), failedAtMs: now() }
    },
    onSuccess() {
      if (!outage || now() - outage.failedAtMs < CALM_MS) return
      log.warn({ away_ms: Math.round(now() - outage.sinceMs) }, 'the database is back')
      outage = undefined
    },
  }
}
