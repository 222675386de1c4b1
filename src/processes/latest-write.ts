import { type Clock } from '../core/clock.ts'

/**
 * Writes what is newest, one write at a time. What changed several times during a write is written once; a write that
 * fails is tried again a few times.
 */
export interface LatestWrite {
  /** Something changed. */
  touch(): void
  /** Resolves when everything up to now is written, or was given up. */
  flush(): Promise<void>
}

const RETRY_MS = 1_000
const MAX_TRIES = 5

export function createLatestWrite(
  write: () => Promise<void>,
  clock: Clock,
  onError: (error: unknown) => void,
): LatestWrite {
  let isDirty = false
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    for (let failures = 0; isDirty && failures < MAX_TRIES;) {
      isDirty = false
      try {
        await write()
        failures = 0
      } catch (error) {
        onError(error)
        isDirty = true
        failures += 1
        await clock.sleep(RETRY_MS)
      }
    }
    writing = undefined
  }

  return {
    touch() {
      isDirty = true
      writing ??= writeAll()
    },
    flush: async () => writing,
  }
}
