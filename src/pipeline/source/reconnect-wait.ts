import { backoffMs } from '../../core/backoff.ts'

const WAITS = { firstMs: 250, maxMs: 10_000 }

/** How long to wait before a lost source is tried for the nth time: at once, then with growing waits. */
export function reconnectWaitMs(attempt: number): number {
  return attempt === 0 ? 0 : backoffMs(attempt, WAITS)
}
