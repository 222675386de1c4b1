import { type Clock } from './clock.ts'

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
