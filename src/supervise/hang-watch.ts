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
  /** For how long the child has computed so far, in any unit; NaN where that is not known. */
  readonly cpuTime: () => number
  readonly clock: Pick<Clock, 'steady' | 'sleep'>
}

/** Of one that does not compute either: on a busy machine one that is well may wait for its turn, but it has turns. */
const MAX_SILENCE_MS = 20_000
/** Of one that computes all the while. */
const MAX_BUSY_SILENCE_MS = 180_000
const LOOK_EVERY_MS = MAX_SILENCE_MS / 4

export function startHangWatch({ onHung, cpuTime, clock }: HangWatchOptions): HangWatch {
  const stopping = new AbortController()
  const { signal } = stopping
  let signAt: number | undefined
  let computed = NaN
  let computedAt = -Infinity

  function isHung(now: number): boolean {
    const before = computed
    computed = cpuTime()
    if (computed !== before) computedAt = now
    const silentMs = now - (signAt ?? now)
    return silentMs >= MAX_BUSY_SILENCE_MS || Math.min(silentMs, now - computedAt) >= MAX_SILENCE_MS
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const sleptAt = clock.steady()
      await clock.sleep(LOOK_EVERY_MS, signal)
      // This process itself stood still for a while, maybe with the whole machine: messages of the child wait to be read, or to be sent.
      if (clock.steady() - sleptAt > LOOK_EVERY_MS * 2) signAt = clock.steady()
      if (signal.aborted || !isHung(clock.steady())) continue
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
