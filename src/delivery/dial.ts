import { allowedAddresses, type HostAddress, HostRefused, type Resolve } from '../core/allowed-addresses.ts'
import { type OutboundPolicy } from '../core/outbound.ts'
import { NotDelivered } from './message.ts'

/** The addresses of a host that may be called. What is dialled must be one of these: resolved again, they could be others. */
export type Dial = (hostname: string) => Promise<readonly HostAddress[]>

export function createDial(policy: OutboundPolicy, resolve: Resolve): Dial {
  return (hostname) =>
    allowedAddresses(hostname, policy, resolve).catch((error: unknown) => {
      throw error instanceof HostRefused ? new NotDelivered(error.message, { cause: error }) : error
    })
}
