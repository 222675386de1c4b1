import { createOwnerLine } from '../core/owner-line.ts'

/**
 * A new reader catches up with a whole group of pictures. A hundred of them at once would hold up everybody else, so
 * one round of the event loop hands out so many bytes and no more; the other readers wait, and owners of paths take turns. The
 * queue is bounded by the number of connections.
 */
export interface CatchUpQueue {
  /** Resolves when the reader may start; `groupBytes` is called only then, since the group keeps growing. */
  waitForTurn(owner: string, groupBytes: () => number): Promise<void>
}

/** The largest group that is kept, or many of the usual ones. */
const MAX_BYTES_PER_ROUND = 16 * 1024 * 1024

export function createCatchUpQueue(maxBytesPerRound = MAX_BYTES_PER_ROUND): CatchUpQueue {
  const waiting = createOwnerLine<{ readonly groupBytes: () => number; readonly start: () => void }>()
  let bytesThisRound = 0
  let round: NodeJS.Immediate | undefined

  function startOne(groupBytes: () => number, start: () => void): void {
    bytesThisRound += groupBytes()
    round ??= setImmediate(nextRound)
    start()
  }

  function nextRound(): void {
    round = undefined
    bytesThisRound = 0
    while (waiting.size > 0 && bytesThisRound < maxBytesPerRound) {
      const { groupBytes, start } = waiting.shift()!
      startOne(groupBytes, start)
    }
  }

  return {
    waitForTurn: (owner, groupBytes) =>
      new Promise((start) => {
        if (waiting.size === 0 && bytesThisRound < maxBytesPerRound) startOne(groupBytes, start)
        else waiting.push(owner, { groupBytes, start })
      }),
  }
}
