import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'

/** How often a key may have contacts tested: each is a call elsewhere that nobody waits for in a queue. */
export interface TestLimits {
  /** Throws when one of this account is under way, or too many were within a minute. */
  run<T>(accountId: string, test: () => Promise<T>): Promise<T>
}

const MAX_A_MINUTE = 10
const MINUTE_MS = 60_000

export function createTestLimits(clock: Pick<Clock, 'steady'>): TestLimits {
  const underWay = new Set<string>()
  const startedAt = new Map<string, number[]>()

  function forgetOld(nowMs: number): void {
    for (const [accountId, times] of startedAt) {
      const left = times.filter((at) => nowMs - at < MINUTE_MS)
      if (left.length > 0) startedAt.set(accountId, left)
      else startedAt.delete(accountId)
    }
  }

  return {
    async run(accountId, test) {
      const nowMs = clock.steady()
      forgetOld(nowMs)
      const recent = startedAt.get(accountId) ?? []
      const isFull = recent.length >= MAX_A_MINUTE
      if (isFull || underWay.has(accountId)) {
        const retryAfterSeconds = isFull ? Math.max(1, Math.ceil((recent[0]! + MINUTE_MS - nowMs) / 1000)) : 1
        const fields = { limit: MAX_A_MINUTE, retry_after_seconds: retryAfterSeconds }
        throw new AppError('too-many-tests', fields, { retryAfterSeconds })
      }
      startedAt.set(accountId, [...recent, nowMs])
      underWay.add(accountId)
      try {
        return await test()
      } finally {
        underWay.delete(accountId)
      }
    },
  }
}
