/**
 * How many children may be starting at once. Starting one takes a core for a second: where thirty streams come back together,
 * all that time would be missing for those that run. Whoever hangs while it starts keeps its place for a few seconds only.
 */
export interface StartSlots {
  /**
   * Resolves when it is one's turn, `soon` before `later`, with what to call once it has started or is gone; undefined when it
   * was aborted before. As many wait as there are streams.
   */
  take(when: StartsWhen, signal: AbortSignal): Promise<(() => void) | undefined>
}

/** `soon`: somebody waits for it. `later`: nobody does. */
export type StartsWhen = 'soon' | 'later'

const MAX_STARTING = 2
const MAX_START_MS = 5_000

export function createStartSlots({ maxStarting = MAX_STARTING, maxStartMs = MAX_START_MS } = {}): StartSlots {
  const waiting: Record<StartsWhen, (() => void)[]> = { soon: [], later: [] }
  let starting = 0

  function next(): void {
    while (starting < maxStarting) {
      const begin = waiting.soon.shift() ?? waiting.later.shift()
      if (!begin) return
      starting++
      begin()
    }
  }

  /** Answers how to leave the place. */
  function occupy(): () => void {
    let isLeft = false
    const leave = () => {
      if (isLeft) return
      isLeft = true
      clearTimeout(timer)
      starting--
      next()
    }
    const timer = setTimeout(leave, maxStartMs).unref()
    return leave
  }

  return {
    take: (when, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const begin = () => {
          signal.removeEventListener('abort', giveUp)
          resolve(occupy())
        }
        const giveUp = () => {
          waiting[when] = waiting[when].filter((one) => one !== begin)
          resolve(undefined)
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting[when].push(begin)
        next()
      }),
  }
}
