/** What the windows of all tunnels of a node may have together beside their first bytes. */
export interface WindowBudget {
  /** So little is left that windows become smaller, so that each tunnel gets its turn. */
  readonly isShort: boolean
  /** Answers how much of it there is: all, a part or nothing. */
  take(bytes: number): number
  giveBack(bytes: number): void
}

const SHORT_SHARE = 1 / 4

export function createWindowBudget(maxBytes: number): WindowBudget {
  let leftBytes = maxBytes
  return {
    get isShort() {
      return leftBytes < maxBytes * SHORT_SHARE
    },
    take(bytes) {
      const taken = Math.min(bytes, leftBytes)
      leftBytes -= taken
      return taken
    },
    giveBack: (bytes) => void (leftBytes += bytes),
  }
}
