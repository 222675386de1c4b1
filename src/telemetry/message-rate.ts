import { createAllowance } from '../core/allowance.ts'
import { type Clock } from '../core/clock.ts'

/** Drones send up to 60 messages a second; somebody who sends far more is broken. */
const MAX_A_SECOND = 200
/** Those have some hundreds of bytes; the vendor's largest, of about 10 kB, come a few times a second. */
const BYTES = { burst: 512 * 1024, perSecond: 128 * 1024 }

/** Says whether one more message may be read; whatever comes beyond is left unread, so that it costs next to nothing. */
export function createMessageRate(clock: Pick<Clock, 'now' | 'steady'>): { isWithin(bytes: number): boolean } {
  const allowance = createAllowance(BYTES, clock)
  let second = 0
  let count = 0
  return {
    isWithin(bytes) {
      const current = Math.floor(clock.now() / 1000)
      if (current !== second) {
        second = current
        count = 0
      }
      count += 1
      return count <= MAX_A_SECOND && allowance.take(bytes)
    },
  }
}
