import { type Clock } from '../core/clock.ts'
import { retry } from '../core/retry.ts'

/**
 * Writes to a database that may be away for a while: one after the other, each until it succeeds, so that none is lost
 * and none overtakes the one before. An error does not say that nothing was written: a write must bear being done twice.
 */
export interface OrderedWrites {
  /** Takes the place of what waits under the same key. False when too much waits: it is not done. */
  add(write: () => Promise<void>, key?: string): boolean
  /** Nothing is retried from now on. Resolves when nothing waits; rejects with the first failure, and can be called again. */
  flush(): Promise<void>
}

export interface OrderedWritesOptions {
  readonly clock: Pick<Clock, 'sleep'>
  /** A write failed for the first time. */
  readonly onFailure: (error: unknown) => void
}

const RETRY_MS = 1_000
/** A start and an end each minute make half a day. */
const MAX_WAITING = 1_500

export function createOrderedWrites({ clock, onFailure }: OrderedWritesOptions): OrderedWrites {
  const waiting = new Map<string | symbol, () => Promise<void>>()
  let isFlushing = false
  let running: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    for (let [first] = waiting; first; [first] = waiting) {
      const [key, write] = first
      await retry(write, {
        clock,
        waitMs: RETRY_MS,
        isWanted: () => !isFlushing,
        onRetry: (error, tries) => void (tries === 1 && onFailure(error)),
      })
      // Something newer may have taken its place meanwhile.
      if (waiting.get(key) === write) waiting.delete(key)
    }
  }

  const wake = () => (running ??= writeAll().finally(() => (running = undefined)))

  return {
    add(write, key) {
      if (waiting.size >= MAX_WAITING && !(key && waiting.has(key))) return false
      waiting.set(key ?? Symbol('write'), write)
      // It only fails while it is flushed, which says so.
      wake().catch(() => {})
      return true
    },
    flush() {
      isFlushing = true
      return wake()
    },
  }
}
