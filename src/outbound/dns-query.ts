import { Resolver } from 'node:dns/promises'
import { type HostAddress } from './host-address.ts'

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
