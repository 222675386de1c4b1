import { type Clock } from '../core/clock.ts'

/** Counts the time for which a process really runs: what its account is charged for. */
export interface Meter {
  /** Saying the same twice changes nothing. */
  setRunning(isRunning: boolean): void
  /** Whole milliseconds so far. */
  readonly ms: number
}

export function createMeter(clock: Pick<Clock, 'steady'>, alreadyMs: number): Meter {
  let countedMs = alreadyMs
  let runningSince: number | undefined

  const soFar = () => countedMs + (runningSince === undefined ? 0 : clock.steady() - runningSince)
  return {
    setRunning(isRunning) {
      if (isRunning === (runningSince !== undefined)) return
      countedMs = soFar()
      runningSince = isRunning ? clock.steady() : undefined
    },
    get ms() {
      return Math.floor(soFar())
    },
  }
}
