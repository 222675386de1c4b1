import { isIP } from 'node:net'
import { withoutBrackets } from '../core/ip-address.ts'
import { type Denial, denialSentence, type OutboundPolicy } from './policy.ts'
import { type HostAddress, type Resolve } from './resolve.ts'

/** Nobody of this name can be called. */
export class HostRefused extends Error {
  /** There is such a host, and it is not to be called; undefined when there is none. */
  readonly denial: Denial | undefined

  constructor(sentence: string, options: { denial?: Denial; cause?: unknown } = {}) {
    super(sentence, { cause: options.cause })
    this.name = 'HostRefused'
    this.denial = options.denial
  }
}

/** All addresses of a host, which may be an address itself; at least one. */
export async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly HostAddress[]> {
  const plain = withoutBrackets(hostname)
  const family = isIP(plain)
  if (family) return [{ address: plain, family }]
  const noHost = (cause?: unknown) => new HostRefused(`There is no host ${hostname.replace(/\.$/, '')}.`, { cause })
  const addresses = await resolve(plain).catch((cause: unknown) => {
    throw noHost(cause)
  })
  if (addresses.length === 0) throw noHost()
  return addresses
}

/** The addresses of a host that may be called. What is dialled must be one of these: resolved again, they could be others. */
export async function allowedAddresses(
  hostname: string,
  port: number | undefined,
  policy: OutboundPolicy,
  resolve: Resolve,
): Promise<readonly HostAddress[]> {
  const addresses = await addressesOf(hostname, resolve)
  const denials = addresses.map(({ address }) => policy.denialOf(address, port))
  const allowed = addresses.filter((_, index) => denials[index] === undefined)
  if (allowed.length > 0) return allowed
  const denial = denials.find((one) => one !== 'denied') ?? 'denied'
  throw new HostRefused(denialSentence(denial, hostname), { denial })
}
