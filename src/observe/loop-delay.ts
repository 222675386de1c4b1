/** How late the event loop of this process does what is due: everything waits for a call that takes long. */
export interface LoopDelay {
  /** The longest since the last time that this was read. */
  readMs(): number
  stop(): void
}

const LOOK_EVERY_MS = 100

/** Not by Node's own histogram, which forgets with each reset when its last timer was, and so the delay that is under way. */
export function measureLoopDelay(): LoopDelay {
  let lookedAt = performance.now()
  let worstMs = 0

  function look(): void {
    const now = performance.now()
    worstMs = Math.max(worstMs, now - lookedAt - LOOK_EVERY_MS)
    lookedAt = now
  }

  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    readMs() {
      // Whoever reads it may be called before the timer that is due.
      if (performance.now() - lookedAt > LOOK_EVERY_MS) look()
      const delayMs = worstMs
      worstMs = 0
      return Math.round(delayMs)
    },
    stop: () => clearInterval(timer),
  }
}

/** The largest of the last `count` values; 0 before the first. */
export function createRecentMaximum(count: number): { note(value: number): void; readonly value: number } {
  const values: number[] = []
  return {
    note(value) {
      values.push(value)
      if (values.length > count) values.shift()
    },
    get value() {
      return Math.max(0, ...values)
    },
  }
}
