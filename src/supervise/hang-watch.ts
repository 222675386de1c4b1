import { type Clock } from '../core/clock.ts'

/** Notices a running worker that hangs: one that is well sends something every second. */
export interface WorkerWatchdog {
  /** From now on silence counts. */
  arm(): void
  disarm(): void
  noteSign(): void
}

export interface WorkerWatchdogDeps {
  readonly onSilent: () => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

const MAX_SILENCE_MS = 15_000
const LOOK_EVERY_MS = MAX_SILENCE_MS / 3

export function startWorkerWatchdog({ onSilent, clock, signal }: WorkerWatchdogDeps): WorkerWatchdog {
  let isArmed = false
  let signAt = clock.steady()

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const sleptAt = clock.steady()
      await clock.sleep(LOOK_EVERY_MS, signal)
      // This process itself was blocked for a while: messages of the worker wait to be read.
      if (clock.steady() - sleptAt > LOOK_EVERY_MS * 2) signAt = clock.steady()
      if (signal.aborted || !isArmed || clock.steady() - signAt < MAX_SILENCE_MS) continue
      signAt = clock.steady()
      onSilent()
    }
  }

  void watch()
  return {
    arm: () => void (isArmed = true),
    disarm: () => void (isArmed = false),
    noteSign: () => void (signAt = clock.steady()),
  }
}
