import { isIP } from 'node:net'
import { type OutboundPolicy } from '../core/outbound.ts'
import { NotDelivered } from './message.ts'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

/** The addresses of a host that may be called. What is dialled must be one of these: resolved again, they could be others. */
export type Dial = (hostname: string) => Promise<readonly HostAddress[]>

export function createDial(policy: OutboundPolicy, resolve: Resolve): Dial {
  return async (hostname) => {
    const plain = hostname.replace(/^\[|\]$/g, '')
    const family = isIP(plain)
    const addresses = family
      ? [{ address: plain, family }]
      : await resolve(plain).catch((error: unknown) => {
          throw new NotDelivered(`There is no host ${hostname}.`, { cause: error })
        })
    const allowed = addresses.filter(({ address }) => policy.isAllowed(address))
    if (allowed.length === 0)
      throw new NotDelivered(`${hostname} may not be called; see AERIE_OUTBOUND_DENY and AERIE_OUTBOUND_ALLOW.`)
    return allowed
  }
}
