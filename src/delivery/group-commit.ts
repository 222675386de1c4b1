import { type Clock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { DatabaseAway } from '../core/outages.ts'

/**
 * Many small writes become few transactions: what comes within a tick is written together. The first one after a quiet
 * moment is written at once. Where more waits than one transaction takes, owners take turns, so that a flood of one
 * delays the others by one transaction; what is of one owner is written in its order.
 */
export interface GroupCommit<Op> {
  /** Resolves when it is on disk; rejects when that could not be. */
  add(owner: string, op: Op): Promise<void>
  /** Resolves when everything up to now, or of this owner, is written, or was given up. */
  flush(owner?: string): Promise<void>
}

export interface GroupCommitOptions<Op> {
  readonly write: (ops: readonly Op[]) => Promise<void>
  /** As how many small writes it counts. */
  readonly weightOf?: (op: Op) => number
  readonly clock: Clock
  /** Between two transactions. */
  readonly tickMs?: number
}

/** SQLite keeps everybody waiting for as long as a transaction takes: some ten milliseconds for so much. */
const MAX_AT_ONCE = 200
/** More than this is refused: the disk can't keep up. */
const MAX_WAITING = 20_000
const MAX_WAITING_OF_OWNER = 10_000

interface Waiting<Op> {
  readonly op: Op
  readonly weight: number
  readonly done: Deferred<void>
}

/** Of one owner, in its order. */
interface Line<Op> {
  readonly ops: Waiting<Op>[]
  weight: number
}

export function createGroupCommit<Op>(options: GroupCommitOptions<Op>): GroupCommit<Op> {
  const { write, clock, weightOf = () => 1, tickMs = 20 } = options
  /** By owner, in the order in which their turn comes. */
  const lines = new Map<string, Line<Op>>()
  let waitingWeight = 0
  let lastAtMs = -Infinity
  let writing: Promise<void> | undefined
  /** What is being written, and can't be waited for by what still waits. */
  let underWay: Promise<unknown> = Promise.resolve()

  /** The first of a line, of so much weight at most. */
  function takeFrom(line: Line<Op>, share: number): Waiting<Op>[] {
    let weight = 0
    let count = 0
    while (count < line.ops.length && weight + line.ops[count]!.weight <= share) weight += line.ops[count++]!.weight
    line.weight -= weight
    waitingWeight -= weight
    return line.ops.splice(0, count)
  }

  /**
   * An equal share for each owner, and what one does not need for those that come first. What is heavier than a share
   * waits until it is the first of all, and goes whatever it weighs.
   */
  function takeGroup(): Waiting<Op>[] {
    const group: Waiting<Op>[] = []
    let room = MAX_AT_ONCE
    for (let before = -1; before < group.length && lines.size > 0;) {
      before = group.length
      const share = Math.max(1, Math.floor(room / lines.size))
      for (const [owner, line] of [...lines]) {
        const taken = takeFrom(line, group.length === 0 ? Math.max(share, line.ops[0]!.weight) : Math.min(share, room))
        if (taken.length === 0) continue
        group.push(...taken)
        for (const { weight } of taken) room -= weight
        // An owner that has more is behind the others now.
        lines.delete(owner)
        if (line.ops.length > 0) lines.set(owner, line)
      }
    }
    return group
  }

  async function writeAll(): Promise<void> {
    while (lines.size > 0) {
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
      const line = lines.get(owner) ?? { ops: [], weight: 0 }
      if (waitingWeight >= MAX_WAITING || line.weight >= MAX_WAITING_OF_OWNER)
        return Promise.reject(new DatabaseAway(new Error('it cannot keep up with what is to be written')))
      const done = createDeferred()
      const weight = weightOf(op)
      line.ops.push({ op, weight, done })
      line.weight += weight
      waitingWeight += weight
      lines.set(owner, line)
      writing ??= writeAll()
      return done.promise
    },
    // Not until nothing waits at all: others may never stop.
    async flush(owner) {
      const flushed = [...lines].flatMap(([name, line]) => (owner === undefined || name === owner ? line : []))
      const newest = flushed.map(({ ops }) => ops.at(-1)!.done.promise)
      await Promise.allSettled([underWay, ...newest])
    },
  }
}
