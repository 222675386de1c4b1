import { once } from '../core/once.ts'
import { createOwnerLine } from '../core/owner-line.ts'

/**
 * How many children may be starting at once. Starting one takes a core for a second: where thirty streams come back together,
 * all that time would be missing for those that run. A child that hangs while it starts keeps its slot for a few seconds only.
 */
export interface StartSlots {
  /**
   * Resolves when it is the caller's turn, with what to call once it has started or is gone; undefined when it was aborted before. As
   * many wait as there are streams.
   */
  take(turn: StartTurn, signal: AbortSignal): Promise<(() => void) | undefined>
}

export interface StartTurn {
  /** `soon`: somebody waits for it. `later`: nobody does. Where both wait, every second start is one of each. */
  readonly when: 'soon' | 'later'
  /** Owners begin one after the other, however many of their streams wait. */
  readonly owner: string
}

const MAX_STARTING = 2
const MAX_START_MS = 5_000

export function createStartSlots({ maxStarting = MAX_STARTING, maxStartMs = MAX_START_MS } = {}): StartSlots {
  const waiting = { soon: createOwnerLine<() => void>(), later: createOwnerLine<() => void>() }
  let starting = 0
  let isSoonNext = true

  function takeNext(): (() => void) | undefined {
    const [first, second] = isSoonNext ? [waiting.soon, waiting.later] : [waiting.later, waiting.soon]
    const begin = first.shift()
    if (!begin) return second.shift()
    isSoonNext = !isSoonNext
    return begin
  }

  function next(): void {
    while (starting < maxStarting) {
      const begin = takeNext()
      if (!begin) return
      starting++
      begin()
    }
  }

  /** Returns what releases the slot. */
  function occupy(): () => void {
    const release = once(() => {
      clearTimeout(timer)
      starting--
      next()
    })
    const timer = setTimeout(release, maxStartMs).unref()
    return release
  }

  return {
    take: ({ when, owner }, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const begin = () => {
          signal.removeEventListener('abort', giveUp)
          resolve(occupy())
        }
        const giveUp = () => {
          waiting[when].remove(owner, begin)
          resolve(undefined)
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting[when].push(owner, begin)
        next()
      }),
  }
}
