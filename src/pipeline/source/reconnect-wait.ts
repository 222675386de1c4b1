const MAX_MS = 10_000

/** How long to wait before a lost source is tried for the nth time: at once, then with growing waits. */
export function reconnectWaitMs(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(MAX_MS, 250 * 2 ** attempt)
}
