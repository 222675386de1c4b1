import { type Clock } from './clock.ts'
import { createDeferred } from './deferred.ts'

/**
 * Work that waits for its turn. An owner has one piece of it under way, however much it asks for, so that nobody's slow files and
 * silent addresses hold up others.
 *
 * Bounds: `maxRunning` run, `maxWaiting` wait, `maxWaitingPerOwner` of them for one owner, each for up to `maxWaitMs`. What
 * exceeds them is refused.
 */
export interface FairQueue {
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

export interface FairQueueOptions {
  readonly clock: Pick<Clock, 'sleep'>
  readonly maxRunning: number
  readonly maxWaiting: number
  readonly maxWaitingPerOwner: number
  readonly maxWaitMs: number
  /** The error of those for whom there is no room. */
  readonly refusal: () => Error
}

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { clock, maxRunning, maxWaiting, maxWaitingPerOwner, maxWaitMs, refusal } = options
  /** Whose work is under way. */
  const running = new Set<string>()
  const waiting: Waiting[] = []

  const mayStart = (owner: string) => running.size < maxRunning && !running.has(owner)

  function startNext(): void {
    const index = waiting.findIndex(({ owner }) => mayStart(owner))
    if (index >= 0) waiting.splice(index, 1)[0]!.start()
  }

  /** Resolves once the owner is among the running. */
  async function takeTurn(owner: string): Promise<void> {
    if (mayStart(owner)) return void running.add(owner)
    const own = waiting.filter((one) => one.owner === owner)
    if (waiting.length >= maxWaiting || own.length >= maxWaitingPerOwner) throw refusal()
    const turn = createDeferred<void>()
    const settled = new AbortController()
    const place: Waiting = {
      owner,
      start() {
        running.add(owner)
        turn.resolve()
      },
    }
    waiting.push(place)
    void clock.sleep(maxWaitMs, settled.signal).then(() => {
      const index = waiting.indexOf(place)
      if (index < 0) return
      waiting.splice(index, 1)
      turn.reject(refusal())
    })
    await turn.promise.finally(() => settled.abort())
  }

  return {
    async run(owner, work) {
      await takeTurn(owner)
      try {
        return await work()
      } finally {
        running.delete(owner)
        startNext()
      }
    },
  }
}
