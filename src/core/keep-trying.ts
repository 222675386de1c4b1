import { backoffMs } from './backoff.ts'
import { type Clock } from './clock.ts'

export interface KeepTryingOptions {
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
