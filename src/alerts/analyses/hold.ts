import { type Moment } from './scene-time.ts'

/** A condition that is reported only when it has held for a while, and is over only when it has been gone for a while. */
export interface Hold {
  readonly isOn: boolean
  /** Since when it is on, or was last. */
  readonly onSinceMs: number
  update(holds: boolean, moment: Moment): 'started' | 'ended' | undefined
}

/** A detector misses something for a few frames now and then: that does not begin the waiting anew. */
export const FLICKER_MS = 500
/** What comes back sooner was never gone. */
const END_AFTER_MS = 2_000

export function createHold(forMs: number): Hold {
  let isOn = false
  let onSinceMs = 0
  let heldSinceMs: number | undefined
  let lastHeldMs = 0
  let goneSinceMs: number | undefined

  function waitFor(holds: boolean, { nowMs, isAfterGap }: Moment): 'started' | undefined {
    const isInterrupted = isAfterGap || (goneSinceMs !== undefined && nowMs - lastHeldMs > FLICKER_MS)
    if (isInterrupted) heldSinceMs = undefined
    if (!holds) {
      goneSinceMs ??= nowMs
      return undefined
    }
    heldSinceMs ??= nowMs
    lastHeldMs = nowMs
    goneSinceMs = undefined
    if (nowMs - heldSinceMs < forMs) return undefined
    isOn = true
    onSinceMs = nowMs
    return 'started'
  }

  function waitForEnd(holds: boolean, { nowMs, isAfterGap }: Moment): 'ended' | undefined {
    if (holds || isAfterGap) goneSinceMs = undefined
    if (holds) return undefined
    goneSinceMs ??= nowMs
    if (nowMs - goneSinceMs < END_AFTER_MS) return undefined
    isOn = false
    heldSinceMs = undefined
    return 'ended'
  }

  return {
    get isOn() {
      return isOn
    },
    get onSinceMs() {
      return onSinceMs
    },
    update: (holds, moment) => (isOn ? waitForEnd(holds, moment) : waitFor(holds, moment)),
  }
}
