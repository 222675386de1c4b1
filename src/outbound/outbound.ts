import { type Account, isMaster } from '../core/account.ts'
import { type OutboundLists } from '../core/check-hosts.ts'
import { addressesOf, allowedAddresses, HostRefused } from './allowed-addresses.ts'
import { dialAddress } from './dial.ts'
import { isOwnAddress } from './own-addresses.ts'
import { createOutboundPolicy } from './policy.ts'
import { createSharedResolver, type SharedResolver } from './resolve.ts'
import { type OutboundRules } from './rules.ts'

/** Which hosts may be called for which accounts, as the main process knows it. */
export interface Outbound {
  /** At use, and each time: an account may have lost its rights since. */
  rulesOf(accountId: string): Promise<OutboundRules>
  /** The address to connect to for this account; rejects with a `HostRefused`. */
  dial(accountId: string, hostname: string, port: number): Promise<string>
  /**
   * Why a host that somebody wants to register will not be called; undefined when nothing is against it now. A name that
   * cannot be looked up yet may be there later: it is judged at each dial.
   */
  objectionTo(account: Pick<Account, 'id' | 'masterId'>, hostname: string, port?: number): Promise<string | undefined>
  /** Whether a dial to this host reaches this machine, by whichever of its names and addresses. */
  leadsHere(callerId: string, hostname: string): Promise<boolean>
}

export interface OutboundDeps {
  readonly lists: OutboundLists
  /** Those of our own media server. */
  readonly mediaPorts: () => readonly number[]
  /** Undefined when its key is revoked. */
  readonly findAccount: (accountId: string) => Promise<Pick<Account, 'masterId'> | undefined>
  readonly resolver?: SharedResolver
}

export function createOutbound(deps: OutboundDeps): Outbound {
  const { lists, mediaPorts, findAccount, resolver = createSharedResolver() } = deps

  const rulesFor = (mayCallThisMachine: boolean): OutboundRules => ({
    deny: lists.deny,
    allow: lists.allow,
    mayCallThisMachine,
    mediaPorts: mediaPorts(),
  })

  async function rulesOf(accountId: string): Promise<OutboundRules> {
    const account = await findAccount(accountId)
    return rulesFor(account !== undefined && isMaster(account))
  }

  const unlessUnknown = (error: unknown): undefined => {
    if (error instanceof HostRefused && error.denial === undefined) return undefined
    throw error
  }

  return {
    rulesOf,
    dial: async (accountId, hostname, port) =>
      dialAddress(hostname, port, await rulesOf(accountId), resolver.for(accountId)),
    async objectionTo(account, hostname, port) {
      const policy = createOutboundPolicy(rulesFor(isMaster(account)))
      try {
        await allowedAddresses(hostname, port, policy, resolver.for(account.id)).catch(unlessUnknown)
        return undefined
      } catch (error) {
        if (error instanceof HostRefused) return error.message
        throw error
      }
    },
    async leadsHere(callerId, hostname) {
      const found = await addressesOf(hostname, resolver.for(callerId)).catch(unlessUnknown)
      return (found ?? []).some(({ address }) => isOwnAddress(address))
    },
  }
}
