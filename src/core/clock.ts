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

/** As `steady`, but the same for all processes of this machine: one says when something was, and another how long ago that is. */
export const machineSteadyMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** `2026-11-15T08:30:00.123Z`, the form of every time in a record. */
export function toZulu(ms: number): string {
  return new Date(ms).toISOString()
}

/** The same of a time that may not have come. */
export function toZuluOrNull(ms: number | null): string | null {
  return ms === null ? null : toZulu(ms)
}

/**
 * Calls `check` every so often, with the time. What waits to be read is read first: a process that stood still for a while (a
 * paused machine, a busy thread) would otherwise take others for silent. The time is that before, because it may stand still
 * while it reads, too. Returns how to stop.
 */
export function checkEvery(everyMs: number, now: () => number, check: (nowMs: number) => void): () => void {
  let isStopped = false
  const timer = setInterval(() => {
    const nowMs = now()
    setImmediate(() => {
      if (!isStopped) check(nowMs)
    })
  }, everyMs)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** A sender's clock that is further from ours has not been set: its time means nothing. */
const MAX_SKEW_MS = 600_000

/**
 * What a sender says of when something was taken, where that is known and can be right; undefined otherwise. Scenes, recordings
 * and playlists all ask here, so that they date one picture alike.
 */
export function plausibleSenderTime(sentMs: number | undefined, arrivedMs: number): number | undefined {
  return sentMs !== undefined && Math.abs(arrivedMs - sentMs) <= MAX_SKEW_MS ? sentMs : undefined
}
