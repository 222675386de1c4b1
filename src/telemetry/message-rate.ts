/** Drones send up to 60 messages a second; somebody who sends far more is broken. */
const MAX_A_SECOND = 200

/** Says whether one more message may be read; whatever comes beyond is left unread, so that it costs next to nothing. */
export function createMessageRate(): { isWithin(nowMs: number): boolean } {
  let second = 0
  let count = 0
  return {
    isWithin(nowMs) {
      const current = Math.floor(nowMs / 1000)
      if (current !== second) {
        second = current
        count = 0
      }
      count += 1
      return count <= MAX_A_SECOND
    },
  }
}
