import { type Clock } from './clock.ts'

/** So many at once, and so many more each second; what was not taken is kept up to the burst. */
export interface Allowance {
  /** False when there is not that much left; nothing is taken then. */
  take(amount?: number): boolean
}

export function createAllowance(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  clock: Pick<Clock, 'steady'>,
): Allowance {
  let left = burst
  let countedAtMs = clock.steady()
  return {
    take(amount = 1) {
      const nowMs = clock.steady()
      left = Math.min(burst, left + ((nowMs - countedAtMs) / 1000) * perSecond)
      countedAtMs = nowMs
      if (left < amount) return false
      left -= amount
      return true
    },
  }
}
