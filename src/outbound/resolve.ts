import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Clock, systemClock } from '../core/clock.ts'
import { createFairQueue } from '../core/fair-queue.ts'

/** An address that a name leads to. */
export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

export const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Looks names up for many callers in one process, one of each at a time; one that waits is let go after a while. A lookup by the system
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

/** The addresses that the machine's own file gives a name; undefined when it is not there. */
async function addressesInHostsFile(hostname: string): Promise<readonly HostAddress[] | undefined> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  return findInHosts(text, hostname)
}

/** hosts(5): an address and its names on each line. */
export function findInHosts(text: string, hostname: string): readonly HostAddress[] | undefined {
  // A final dot says that the name is whole (RFC 1034 §3.1); the file has none.
  const wanted = hostname.toLowerCase().replace(/\.$/, '')
  const found = text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const family = isIP(address)
    return family && names.includes(wanted) ? [{ address, family }] : []
  })
  return found.length > 0 ? found : undefined
}

/** The second try waits for twice as long. */
const TRY_MS = 700
const TRIES = 2

/**
 * Asks DNS itself, which takes no thread as the system's own lookup does: a name whose server says nothing costs a socket for three
 * seconds. Undefined when DNS knows no such name, which the system may know all the same (search domains, mDNS).
 */
export async function queryDns(
  hostname: string,
  servers?: readonly string[],
): Promise<readonly HostAddress[] | undefined> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const ofFamily = async (family: 4 | 6, addresses: Promise<readonly string[]>) =>
    (await addresses).map((address) => ({ address, family }))
  const answers = await Promise.allSettled([
    ofFamily(4, resolver.resolve4(hostname)),
    ofFamily(6, resolver.resolve6(hostname)),
  ])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length > 0) return found
  const silence = answers.find((answer) => answer.status === 'rejected' && isSilence(answer.reason))
  if (silence?.status === 'rejected' && !isLocal(hostname)) throw silence.reason
  return undefined
}

function isSilence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ETIMEOUT'
}

/** DNS need not know these at all. */
function isLocal(hostname: string): boolean {
  return !hostname.includes('.') || /\.local\.?$/i.test(hostname)
}
