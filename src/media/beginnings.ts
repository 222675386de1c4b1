import { createOwnerLine } from '../core/owner-line.ts'

/**
 * Whoever begins to read is handed a whole group of pictures. A hundred who do so at once would hold up everybody else, so
 * in one round of the event loop so much is handed out and no more; the rest wait, and owners of paths take turns. Those who wait are
 * as many as there are connections.
 */
export interface Beginnings {
  /** Resolves when it is one's turn to begin, with as many bytes as there are then. */
  turn(owner: string, heldBytes: () => number): Promise<void>
}

/** The largest group that is kept, or many of the usual ones. */
const MAX_BYTES_A_ROUND = 16 * 1024 * 1024

export function createBeginnings(maxBytesARound = MAX_BYTES_A_ROUND): Beginnings {
  const waiting = createOwnerLine<{ readonly heldBytes: () => number; readonly begin: () => void }>()
  let handedOut = 0
  let round: NodeJS.Immediate | undefined

  function beginOne(heldBytes: () => number, begin: () => void): void {
    handedOut += heldBytes()
    round ??= setImmediate(nextRound)
    begin()
  }

  function nextRound(): void {
    round = undefined
    handedOut = 0
    while (waiting.size > 0 && handedOut < maxBytesARound) {
      const { heldBytes, begin } = waiting.shift()!
      beginOne(heldBytes, begin)
    }
  }

  return {
    turn: (owner, heldBytes) =>
      new Promise((begin) => {
        if (waiting.size === 0 && handedOut < maxBytesARound) beginOne(heldBytes, begin)
        else waiting.push(owner, { heldBytes, begin })
      }),
  }
}
