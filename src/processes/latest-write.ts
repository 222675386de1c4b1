import { type Clock } from '../core/clock.ts'
import { backoffMs } from '../core/retry.ts'

/**
 * Writes what is newest, one write at a time. What changed several times during a write is written once; a write that
 * fails is tried until it succeeds.
 */
export interface LatestWrite {
  /** Something changed. */
  touch(): void
  /** Resolves when everything up to now is written, or when that takes so long that nobody should wait for it. */
  flush(): Promise<void>
  /** Why the last write failed; undefined when it did not. */
  readonly failure: unknown
}

/** Short to the end: what is not written when the outage is over is lost by a kill. */
const WAITS = { firstMs: 1_000, maxMs: 5_000 }
/** So many failures are waited for. */
const MAX_AWAITED_FAILURES = 5

export function createLatestWrite(
  write: () => Promise<void>,
  clock: Clock,
  onError: (error: unknown) => void,
): LatestWrite {
  let isDirty = false
  let isWriting = false
  let failure: unknown
  const waiting: (() => void)[] = []

  async function writeAll(): Promise<void> {
    isWriting = true
    for (let failures = 0; isDirty;) {
      isDirty = false
      try {
        await write()
        failures = 0
        failure = undefined
      } catch (error) {
        failure = error
        onError(error)
        isDirty = true
        failures += 1
        if (failures >= MAX_AWAITED_FAILURES) resolveAll()
        await clock.sleep(backoffMs(Math.max(0, failures - MAX_AWAITED_FAILURES), WAITS))
      }
    }
    isWriting = false
    resolveAll()
  }

  function resolveAll(): void {
    for (const resolve of waiting.splice(0)) resolve()
  }

  return {
    touch() {
      isDirty = true
      if (!isWriting) void writeAll()
    },
    flush: () => new Promise((resolve) => (isWriting ? waiting.push(resolve) : resolve())),
    get failure() {
      return failure
    },
  }
}
