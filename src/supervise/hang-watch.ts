import { type Clock } from '../core/clock.ts'

/** Notices a child that hangs: one that is well sends something every few seconds (`child-entry.ts`). */
export interface HangWatch {
  /** The child has sent something. Silence counts from the first time on: until then it loads its code. */
  noteSign(): void
  stop(): void
}

export interface HangWatchOptions {
  /** Called once. */
  readonly onHung: () => void
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

const MAX_SILENCE_MS = 20_000
const LOOK_EVERY_MS = MAX_SILENCE_MS / 4

export function startHangWatch({ onHung, clock }: HangWatchOptions): HangWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let signAt: number | undefined

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const sleptAt = clock.steady()
      await clock.sleep(LOOK_EVERY_MS, signal)
      // This process itself stood still for a while, maybe with the whole machine: messages of the child wait to be read, or to be sent.
      if (clock.steady() - sleptAt > LOOK_EVERY_MS * 2) signAt = clock.steady()
      if (signal.aborted || signAt === undefined || clock.steady() - signAt < MAX_SILENCE_MS) continue
      stopping.abort()
      onHung()
    }
  }

  return {
    noteSign() {
      if (signAt === undefined) void watch()
      signAt = clock.steady()
    },
    stop: () => stopping.abort(),
  }
}
