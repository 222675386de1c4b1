import { lookup } from 'node:dns/promises'
import { type Clock, systemClock } from '../core/clock.ts'
import { createFairQueue } from '../core/fair-queue.ts'
import { queryDns } from './dns-query.ts'
import { type HostAddress } from './host-address.ts'
import { addressesInHostsFile } from './hosts-file.ts'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

export const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Looks names up for many callers in one process, one of each at a time; who waits is let go after a while. A lookup by the system
 * takes a thread of the few that files are read with too, and a name whose server says nothing keeps it for long after that, so two
 * callers could stop everybody's: what the hosts file or DNS itself answers needs none, and where DNS says nothing, the system is
 * not asked. Only names that DNS does not know, such as mDNS's, are looked up by the system, few at a time.
 */
export interface SharedResolver {
  for(callerId: string): Resolve
}

export interface SharedResolverOptions {
  /** What needs no thread; undefined when the name is not known there. */
  readonly query?: (hostname: string) => Promise<readonly HostAddress[] | undefined>
  readonly resolve?: Resolve
  readonly clock?: Pick<Clock, 'sleep'>
  readonly maxAtOnce?: number
}

const MAX_AT_ONCE = 2
const MAX_QUERIES = 64
const MAX_WAITING = 200
const MAX_WAITING_PER_CALLER = 20
const WITHIN_MS = 5_000

export function createSharedResolver(options: SharedResolverOptions = {}): SharedResolver {
  const { query = queryWithoutThread, resolve = resolveByDns, clock = systemClock, maxAtOnce = MAX_AT_ONCE } = options
  const queueOf = (maxRunning: number) =>
    createFairQueue({
      clock,
      maxRunning,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_WAITING_PER_CALLER,
      maxWaitMs: WITHIN_MS,
      refusal: () => new Error('Too many names are being looked up; try again in a moment.'),
    })
  const queries = queueOf(MAX_QUERIES)
  const lookups = queueOf(maxAtOnce)

  async function lookUp(callerId: string, hostname: string): Promise<readonly HostAddress[]> {
    const found = await queries.run(callerId, () => query(hostname))
    return found ?? lookups.run(callerId, () => resolve(hostname))
  }

  return {
    for: (callerId) => async (hostname) => {
      const answered = new AbortController()
      const late = clock.sleep(WITHIN_MS, answered.signal).then((): never => {
        throw new Error(`${hostname} could not be looked up within ${WITHIN_MS / 1000} s.`)
      })
      return Promise.race([lookUp(callerId, hostname), late]).finally(() => answered.abort())
    },
  }
}

async function queryWithoutThread(hostname: string): Promise<readonly HostAddress[] | undefined> {
  return (await addressesInHostsFile(hostname)) ?? queryDns(hostname)
}
