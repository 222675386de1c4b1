import { backoffMs } from '../core/retry.ts'

/** How a child process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** How long it had lived. */
  readonly afterMs: number
  /** It took more memory than it may, and was killed for it. */
  readonly isOverMemory?: boolean
  /** It sent no sign of life any more, and was killed for it. */
  readonly isHung?: boolean
}

export type Verdict = { readonly do: 'restart'; readonly inMs: number } | { readonly do: 'give-up' }

/** `crashesInARow`: those before this exit that still count (`crashesSoFar`). */
export type RestartPolicy = (exit: Exit, crashesInARow: number) => Verdict

const HEALTHY_AFTER_MS = 60_000
const WAITS = { firstMs: 250, maxMs: 10_000 }

/** A child that lived for a minute was healthy: its earlier crashes no longer count. */
export function crashesSoFar(exit: Exit, crashesInARow: number): number {
  return isHealthy(exit) ? 0 : crashesInARow
}

export function isHealthy({ afterMs }: Exit): boolean {
  return afterMs >= HEALTHY_AFTER_MS
}

/** Whether nobody waits before the next start: to notice that one hung took longer than any wait. */
export function isAnsweredAtOnce({ isHung = false }: Exit, crashesInARow: number): boolean {
  return crashesInARow === 0 || isHung
}

/** For what the service cannot do without: at once, then with growing waits, for ever. */
export const alwaysRestart: RestartPolicy = (exit, crashesInARow) => ({
  do: 'restart',
  inMs: isAnsweredAtOnce(exit, crashesInARow) ? 0 : backoffMs(crashesInARow, WAITS),
})

export const neverRestart: RestartPolicy = () => ({ do: 'give-up' })
