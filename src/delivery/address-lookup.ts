import { allowedAddresses, HostRefused } from '../outbound/allowed-addresses.ts'
import { type OutboundPolicy } from '../outbound/policy.ts'
import { type HostAddress, type Resolve } from '../outbound/resolve.ts'
import { NotDelivered } from './message.ts'

/** The addresses of a host that may be called. What is dialled must be one of these: resolved again, they could be others. */
export type AddressLookup = (hostname: string, accountId: string) => Promise<readonly HostAddress[]>

/** Names are looked up in the account's own turn, so that nobody's slow names hold up others. */
export function createAddressLookup(policy: OutboundPolicy, resolveFor: (accountId: string) => Resolve): AddressLookup {
  return (hostname, accountId) =>
    allowedAddresses(hostname, undefined, policy, resolveFor(accountId)).catch((error: unknown) => {
      throw error instanceof HostRefused ? new NotDelivered(error.message, { cause: error, isUnsent: true }) : error
    })
}
