import { crashesSoFar, isHealthy, type RestartPolicy } from '../supervise/restart-policy.ts'

/** A worker that crashes this often in a row, without living for a minute in between, would only crash again. */
const MAX_CRASHES_IN_A_ROW = 5

/**
 * A crashed worker is started again at once, then with growing waits, and at last given up. One that soon took more memory than
 * it may would take it again; but one that long did without may have met a passing thing.
 */
export const restartWorker: RestartPolicy = (exit, crashesInARow) => {
  const crashes = crashesSoFar(exit, crashesInARow)
  if (exit.isOverMemory && !isHealthy(exit)) return { do: 'give-up' }
  if (crashes >= MAX_CRASHES_IN_A_ROW) return { do: 'give-up' }
  return { do: 'restart', inMs: crashes === 0 ? 0 : 500 * 2 ** crashes }
}
