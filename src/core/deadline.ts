import { type Clock } from './clock.ts'

/** Calls once when nobody has moved it in time. Moving it is cheap: it is done with every message. */
export interface Deadline {
  /** From now on. */
  set(ms: number): void
  clear(): void
}

/**
 * A process that stood still for a while (a paused machine, a busy thread) finds its timers due before it has read what came
 * meanwhile. So what waits to be read is read first, and may still move the deadline.
 */
export function createDeadline(onPassed: () => void): Deadline {
  let expiresAt: number | undefined
  let timer: NodeJS.Timeout | undefined
  let lastLook: NodeJS.Immediate | undefined

  function check(): void {
    timer = undefined
    if (expiresAt === undefined) return
    const leftMs = expiresAt - performance.now()
    if (leftMs > 0) timer = setTimeout(check, Math.ceil(leftMs))
    else lastLook = setImmediate(lookAgain, expiresAt)
  }

  function lookAgain(passedAt: number): void {
    // If it was moved meanwhile, a new timer was set.
    if (expiresAt === passedAt) onPassed()
  }

  return {
    set(ms) {
      const before = expiresAt
      expiresAt = performance.now() + ms
      // A timer that rings too early looks again; one that would ring too late is replaced.
      if (timer && before !== undefined && before <= expiresAt) return
      clearTimeout(timer)
      timer = setTimeout(check, ms)
    },
    clear() {
      clearTimeout(timer)
      clearImmediate(lastLook)
      timer = undefined
      expiresAt = undefined
    },
  }
}

/** Whether the promise resolves within this time. What becomes of it later is not waited for. */
export async function isSettledWithin(
  promise: Promise<unknown>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<boolean> {
  const settled = new AbortController()
  const late = clock.sleep(ms, settled.signal).then(() => false)
  return Promise.race([promise.then(() => true), late]).finally(() => settled.abort())
}

/**
 * The promise, or a rejection as soon as the signal is aborted; what the promise becomes is ignored then. Not by `Promise.race`, which
 * would leave something on the signal each time.
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  error = () => new Error('It is not wanted any more.'),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(error())
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })
}
