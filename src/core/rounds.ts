/** What waits, in rounds: one piece of each part at a time, and the pieces of a part in the order in which they came. */
export interface Rounds<T> {
  readonly isEmpty: boolean
  add(part: unknown, piece: T): void
  take(): T | undefined
}

export function createRounds<T>(): Rounds<T> {
  /** In the order in which they have their turn. */
  const parts = new Map<unknown, Set<T>>()

  return {
    get isEmpty() {
      return parts.size === 0
    },
    add(part, piece) {
      const pieces = parts.get(part)
      if (pieces) pieces.add(piece)
      else parts.set(part, new Set([piece]))
    },
    take() {
      const [first] = parts
      if (!first) return undefined
      const [part, pieces] = first
      const [piece] = pieces
      pieces.delete(piece!)
      parts.delete(part)
      if (pieces.size > 0) parts.set(part, pieces)
      return piece
    },
  }
}
