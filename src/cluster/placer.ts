import { type Clock } from '../core/clock.ts'
import { createPlacementPass, type PlacementPassDeps } from './placement-pass.ts'

/**
 * Gives the work of nodes that are gone to others. Every node has one; they take turns. In this order:
 *
 *   declare a node dead (its epoch is raised, which lets it make no new connection)
 *     ─▶ end the connections that it has ─▶ none is left: nothing of it can be committed any more ─▶ its work is given away
 *
 * Each step looks at what is so, never at what was done: a placer that dies in between is followed by any other.
 */
export interface Placer {
  start(): void
  /** Now, and not after the wait: somebody is gone. */
  wake(): void
  close(): Promise<void>
}

export interface PlacerDeps extends PlacementPassDeps {
  readonly clock: Clock
  /** From 0 to 1: so that placers that began together do not come together for ever. */
  readonly random?: () => number
}

const ROUND_MS = 1_000
/** All of them together come about so often in that time, so that somebody does, whoever has died. */
const ROUNDS_OF_ALL = 4

export function createPlacer(deps: PlacerDeps): Placer {
  const { clock, log, random = Math.random } = deps
  const closing = new AbortController()
  const pass = createPlacementPass(deps)
  let sleep = new AbortController()
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let alive = 1
    let isFailing = false
    while (!closing.signal.aborted) {
      const waitMs = ROUND_MS * Math.max(1, alive / ROUNDS_OF_ALL) * (0.5 + random())
      await clock.sleep(waitMs, sleep.signal)
      if (closing.signal.aborted) return
      // Made before the pass: who is gone while that goes on may not be in it any more.
      sleep = new AbortController()
      try {
        alive = (await pass()) ?? alive
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'nothing could be placed; trying again')
        isFailing = true
      }
    }
  }

  return {
    start: () => void (running ??= run()),
    wake: () => sleep.abort(),
    async close() {
      closing.abort()
      sleep.abort()
      await running
    },
  }
}
