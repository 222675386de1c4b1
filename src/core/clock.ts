/** Time, as something a test can hold still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds that only count up, evenly, whatever is done to the wall clock: for durations. */
  steady(): number
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects, so loops end by looking at their signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    }),
}

/** `2026-11-15T08:30:00.123Z`, the form of every time in a record. */
export function toZulu(ms: number): string {
  return new Date(ms).toISOString()
}

/** The same of a time that may not have come. */
export function toZuluOrNull(ms: number | null): string | null {
  return ms === null ? null : toZulu(ms)
}
