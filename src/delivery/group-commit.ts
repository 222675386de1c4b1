import { type Clock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'

/**
 * Many small writes become few transactions: what comes within a tick is written together. The first one after a quiet
 * moment is written at once.
 */
export interface GroupCommit<Op> {
  /** Resolves when it is on disk; rejects when that could not be. */
  add(op: Op): Promise<void>
  /** Resolves when everything up to now is written, or was given up. */
  flush(): Promise<void>
}

export interface GroupCommitOptions<Op> {
  readonly write: (ops: readonly Op[]) => Promise<void>
  readonly clock: Clock
  /** Between two transactions. */
  readonly tickMs?: number
}

const MAX_AT_ONCE = 500
/** More than this is refused: the disk can't keep up. */
const MAX_WAITING = 20_000

export function createGroupCommit<Op>({ write, clock, tickMs = 20 }: GroupCommitOptions<Op>): GroupCommit<Op> {
  const waiting: { op: Op; done: Deferred<void> }[] = []
  let lastAtMs = -Infinity
  let writing: Promise<void> | undefined
  let newest: Promise<void> = Promise.resolve()

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await clock.sleep(Math.max(0, tickMs - (clock.steady() - lastAtMs)))
      const group = waiting.splice(0, MAX_AT_ONCE)
      try {
        await write(group.map(({ op }) => op))
        for (const { done } of group) done.resolve()
      } catch (error) {
        for (const { done } of group) done.reject(error)
      }
      lastAtMs = clock.steady()
    }
    writing = undefined
  }

  return {
    add(op) {
      if (waiting.length >= MAX_WAITING)
        return Promise.reject(new Error('The database cannot keep up with the messages that are to be sent.'))
      const done = createDeferred()
      waiting.push({ op, done })
      newest = done.promise.catch(() => {})
      writing ??= writeAll()
      return done.promise
    },
    // Not until nothing waits at all: others may never stop.
    flush: () => newest,
  }
}
