import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type OutboundPolicy } from './outbound.ts'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

export const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true })

/** Nobody of this name can be called. */
export class HostRefused extends Error {
  /** There is such a host, and the operator does not want it to be called; else there is none. */
  readonly isForbidden: boolean

  constructor(sentence: string, options: { isForbidden: boolean; cause?: unknown }) {
    super(sentence, { cause: options.cause })
    this.name = 'HostRefused'
    this.isForbidden = options.isForbidden
  }
}

/** The addresses of a host that may be called. What is dialled must be one of these: resolved again, they could be others. */
export async function allowedAddresses(
  hostname: string,
  policy: OutboundPolicy,
  resolve: Resolve,
): Promise<readonly HostAddress[]> {
  const plain = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(plain)
  const addresses = family
    ? [{ address: plain, family }]
    : await resolve(plain).catch((cause: unknown) => {
        throw new HostRefused(`There is no host ${hostname}.`, { isForbidden: false, cause })
      })
  const allowed = addresses.filter(({ address }) => policy.isAllowed(address))
  if (allowed.length > 0) return allowed
  const sentence = `${hostname} may not be called; see AERIE_OUTBOUND_DENY and AERIE_OUTBOUND_ALLOW.`
  throw new HostRefused(sentence, { isForbidden: true })
}
