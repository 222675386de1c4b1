import { type Clock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'

/**
 * Many small writes become few transactions: what comes within a tick is written together. The first one after a quiet
 * moment is written at once. Where more waits than one transaction takes, owners take turns, so that a flood of one
 * delays the others by one transaction; what is of one owner is written in its order.
 */
export interface GroupCommit<Op> {
  /** Resolves when it is on disk; rejects when that could not be. */
  add(owner: string, op: Op): Promise<void>
  /** Resolves when everything up to now is written, or was given up. */
  flush(): Promise<void>
}

export interface GroupCommitOptions<Op> {
  readonly write: (ops: readonly Op[]) => Promise<void>
  readonly clock: Clock
  /** Between two transactions. */
  readonly tickMs?: number
}

/** SQLite keeps everybody waiting for as long as a transaction takes: some ten milliseconds for so many. */
const MAX_AT_ONCE = 200
/** More than this is refused: the disk can't keep up. */
const MAX_WAITING = 20_000
const MAX_WAITING_OF_OWNER = 10_000

interface Waiting<Op> {
  readonly op: Op
  readonly done: Deferred<void>
}

export function createGroupCommit<Op>({ write, clock, tickMs = 20 }: GroupCommitOptions<Op>): GroupCommit<Op> {
  /** By owner, in the order in which their turn comes. */
  const waiting = new Map<string, Waiting<Op>[]>()
  let count = 0
  let lastAtMs = -Infinity
  let writing: Promise<void> | undefined
  /** What is being written, and can't be waited for by what still waits. */
  let underWay: Promise<unknown> = Promise.resolve()

  /** An equal share for each owner, and what one does not need for those that come first. */
  function takeGroup(): Waiting<Op>[] {
    const group: Waiting<Op>[] = []
    while (group.length < MAX_AT_ONCE && waiting.size > 0) {
      const share = Math.max(1, Math.floor((MAX_AT_ONCE - group.length) / waiting.size))
      for (const [owner, own] of [...waiting]) {
        if (group.length >= MAX_AT_ONCE) break
        group.push(...own.splice(0, share))
        // Who has more is behind the others now.
        waiting.delete(owner)
        if (own.length > 0) waiting.set(owner, own)
      }
    }
    count -= group.length
    return group
  }

  async function writeAll(): Promise<void> {
    while (count > 0) {
      await clock.sleep(Math.max(0, tickMs - (clock.steady() - lastAtMs)))
      const group = takeGroup()
      underWay = Promise.allSettled(group.map(({ done }) => done.promise))
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
    add(owner, op) {
      const own = waiting.get(owner) ?? []
      if (count >= MAX_WAITING || own.length >= MAX_WAITING_OF_OWNER)
        return Promise.reject(new Error('The database cannot keep up with the messages that are to be sent.'))
      const done = createDeferred()
      own.push({ op, done })
      waiting.set(owner, own)
      count += 1
      writing ??= writeAll()
      return done.promise
    },
    // Not until nothing waits at all: others may never stop.
    async flush() {
      const newest = [...waiting.values()].map((own) => own.at(-1)!.done.promise)
      await Promise.allSettled([underWay, ...newest])
    },
  }
}
