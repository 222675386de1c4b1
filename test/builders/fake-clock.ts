import { type Clock } from '../../src/core/clock.ts'

export interface FakeClock extends Clock {
  /** Moves time on and wakes all that slept until then. */
  advance(ms: number): Promise<void>
  /** The wall clock is set, as by NTP; durations and sleeps go on as before. */
  setBack(ms: number): void
  /** Resolves when the next one begins to sleep. */
  nextSleep(): Promise<void>
}

export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let nowMs = startMs
  let setBackMs = 0
  const sleepers = new Set<{ wakeAt: number; wake: () => void }>()
  const waiting: (() => void)[] = []
  return {
    now: () => nowMs - setBackMs,
    steady: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = {
          wakeAt: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        for (const resolveWaiting of waiting.splice(0)) resolveWaiting()
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
    async advance(ms) {
      nowMs += ms
      for (const sleeper of sleepers) if (sleeper.wakeAt <= nowMs) sleeper.wake()
      // Lets what was woken run up to its next sleep.
      await new Promise((resolve) => setImmediate(resolve))
    },
    setBack: (ms) => void (setBackMs += ms),
    nextSleep: () => new Promise((resolve) => void waiting.push(resolve)),
  }
}
