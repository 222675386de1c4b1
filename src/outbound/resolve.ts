import { lookup } from 'node:dns/promises'
import { type Clock, systemClock } from '../core/clock.ts'
import { createFairQueue } from '../core/fair-queue.ts'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

export const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Looks names up for many callers in one process. A lookup takes a thread of the few that files are read with too, and a
 * name whose server says nothing keeps it for long: so there are few at a time, one of each caller, and who waits is let
 * go after a while.
 */
export interface SharedResolver {
  for(callerId: string): Resolve
}

export interface SharedResolverOptions {
  readonly resolve?: Resolve
  readonly clock?: Pick<Clock, 'sleep'>
  readonly maxAtOnce?: number
}

const MAX_AT_ONCE = 2
const MAX_WAITING = 200
const MAX_WAITING_PER_CALLER = 20
const WITHIN_MS = 5_000

export function createSharedResolver(options: SharedResolverOptions = {}): SharedResolver {
  const { resolve = resolveByDns, clock = systemClock, maxAtOnce = MAX_AT_ONCE } = options
  const queue = createFairQueue({
    clock,
    maxRunning: maxAtOnce,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING_PER_CALLER,
    maxWaitMs: WITHIN_MS,
    refusal: () => new Error('Too many names are being looked up; try again in a moment.'),
  })

  return {
    for: (callerId) => async (hostname) => {
      const answered = new AbortController()
      const late = clock.sleep(WITHIN_MS, answered.signal).then((): never => {
        throw new Error(`${hostname} could not be looked up within ${WITHIN_MS / 1000} s.`)
      })
      const looked = queue.run(callerId, () => resolve(hostname))
      return Promise.race([looked, late]).finally(() => answered.abort())
    },
  }
}
