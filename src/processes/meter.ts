import { type Clock } from '../core/clock.ts'

/**
 * Counts the time for which a process really runs: what its account is charged for. One that hangs does not: it is counted up to its
 * last sign of life, and a little beyond, since signs come once a second. After a late one nothing is missing.
 */
export interface Meter {
  /** Saying the same twice changes nothing. */
  setRunning(isRunning: boolean): void
  /** The worker has said something. */
  noteSign(): void
  /** Whole milliseconds so far. */
  readonly ms: number
}

/** Of a worker that is well, at most; it sends its figures every second. */
const MAX_SIGN_GAP_MS = 2_000

export function createMeter(clock: Pick<Clock, 'steady'>, alreadyMs: number): Meter {
  let countedMs = alreadyMs
  let runningSince: number | undefined
  let signAt = -Infinity

  const countedUntil = () => Math.min(clock.steady(), signAt + MAX_SIGN_GAP_MS)
  const soFar = () => countedMs + (runningSince === undefined ? 0 : countedUntil() - runningSince)
  return {
    setRunning(isRunning) {
      if (isRunning === (runningSince !== undefined)) return
      countedMs = soFar()
      runningSince = isRunning ? clock.steady() : undefined
      if (isRunning) signAt = clock.steady()
    },
    noteSign: () => void (signAt = clock.steady()),
    get ms() {
      return Math.floor(soFar())
    },
  }
}
