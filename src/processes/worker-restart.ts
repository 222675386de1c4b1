import { type Clock } from '../core/clock.ts'
import { crashesSoFar, isHealthy, type RestartPolicy } from '../supervise/restart-policy.ts'

/** A worker that crashes this often in a row, without living for a minute in between, would only crash again. */
const MAX_CRASHES_IN_A_ROW = 5

/** One that takes too much memory this often in this time goes on doing so, however long it lives in between. */
const MAX_OVER_MEMORY = 3
const OVER_MEMORY_WINDOW_MS = 60 * 60_000

/**
 * What becomes of one process's workers: a crashed one is started again at once, then with growing waits, and at last given up.
 * One that soon took more memory than it may would take it again; but one that long did without may have met a passing thing.
 */
export function createWorkerRestart({ steady }: Pick<Clock, 'steady'>): RestartPolicy {
  /** When workers took too much memory lately. */
  let overMemoryAtMs: readonly number[] = []

  return (exit, crashesInARow) => {
    if (exit.isOverMemory) {
      const nowMs = steady()
      overMemoryAtMs = [...overMemoryAtMs.filter((atMs) => nowMs - atMs < OVER_MEMORY_WINDOW_MS), nowMs]
      if (!isHealthy(exit) || overMemoryAtMs.length >= MAX_OVER_MEMORY) return { do: 'give-up' }
    }
    const crashes = crashesSoFar(exit, crashesInARow)
    if (crashes >= MAX_CRASHES_IN_A_ROW) return { do: 'give-up' }
    return { do: 'restart', inMs: crashes === 0 ? 0 : 500 * 2 ** crashes }
  }
}
