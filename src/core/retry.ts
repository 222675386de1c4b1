import { type Clock } from './clock.ts'

export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
  /** What each wait is multiplied by; doubled without. */
  readonly growth?: number
}

/** How long to wait when something has failed this often before: the first wait, grown each time, up to a bound. */
export function backoffMs(failuresBefore: number, { firstMs, maxMs, growth = 2 }: Backoff): number {
  return Math.min(maxMs, firstMs * growth ** Math.min(failuresBefore, 30))
}

export interface RetryOptions {
  readonly clock: Pick<Clock, 'sleep'>
  readonly waitMs: number
  /** Asked after each failure; `tries` counts from 1. */
  readonly isWanted: (tries: number) => boolean
  /** It failed, and is done again after the wait. */
  readonly onRetry: (error: unknown, tries: number) => void
}

/** Does something until it succeeds, such as a write to a database that is away. Rejects with the last failure once it is not wanted any more. */
export async function retry<T>(once: () => Promise<T>, { clock, waitMs, isWanted, onRetry }: RetryOptions): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once()
    } catch (error) {
      if (!isWanted(tries)) throw error
      onRetry(error, tries)
    }
    await clock.sleep(waitMs)
  }
}

interface KeepTryingOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  readonly onFailure: (sentence: string) => void
}

/**
 * Does again what ought to last, such as a connection, whenever it has ended; the waits between double until it says
 * that it went well. Resolves when it is not wanted any more.
 */
export async function keepTrying(
  once: (attempt: number, onSuccess: () => void) => Promise<void>,
  { clock, signal, firstWaitMs, maxWaitMs, onFailure }: KeepTryingOptions,
): Promise<void> {
  for (let [failures, attempt] = [0, 0]; !signal.aborted; failures++, attempt++) {
    await once(attempt, () => (failures = 0)).catch((error: unknown) => onFailure((error as Error).message))
    if (signal.aborted) return
    await clock.sleep(backoffMs(failures, { firstMs: firstWaitMs, maxMs: maxWaitMs }), signal)
  }
}
