/** How often something may happen: so many times a second, and after a pause so many at once. */
export interface RateLimit {
  /** False when it is too much. */
  take(): boolean
}

export interface RateLimitOptions {
  readonly perSecond: number
  readonly burst: number
  /** Milliseconds on a steady clock. */
  readonly now?: () => number
}

export function createRateLimit({ perSecond, burst, now = () => performance.now() }: RateLimitOptions): RateLimit {
  let left = burst
  let countedAt = now()
  return {
    take() {
      const atMs = now()
      left = Math.min(burst, left + ((atMs - countedAt) / 1000) * perSecond)
      countedAt = atMs
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
