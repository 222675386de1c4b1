import { type Clock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'

/**
 * Looks that wait for their turn. An account has one look at a time, however many it asks for, so that nobody's slow files and
 * silent addresses hold up others.
 *
 * Bounds: `maxRunning` run, `maxWaiting` wait, `maxWaitingPerOwner` of them for one account, each for up to `maxWaitMs`. Who comes
 * beyond is refused with `prober-busy`.
 */
export interface LookQueue {
  run<T>(owner: string, look: () => Promise<T>): Promise<T>
}

export interface LookQueueOptions {
  readonly clock: Pick<Clock, 'sleep'>
  readonly maxRunning: number
  readonly maxWaiting: number
  readonly maxWaitingPerOwner: number
  readonly maxWaitMs: number
}

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

const RETRY_AFTER_SECONDS = 10

export function createLookQueue(options: LookQueueOptions): LookQueue {
  const { clock, maxRunning, maxWaiting, maxWaitingPerOwner, maxWaitMs } = options
  /** Whose looks are under way. */
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
    if (waiting.length >= maxWaiting || own.length >= maxWaitingPerOwner) throw busy()
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
      turn.reject(busy())
    })
    await turn.promise.finally(() => settled.abort())
  }

  return {
    async run(owner, look) {
      await takeTurn(owner)
      try {
        return await look()
      } finally {
        running.delete(owner)
        startNext()
      }
    },
  }
}

function busy(): AppError {
  return new AppError(
    'prober-busy',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}
