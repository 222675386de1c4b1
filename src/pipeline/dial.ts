import { lookup } from 'node:dns/promises'
import { createOutboundPolicy } from '../core/outbound.ts'
import { type OutboundLists } from './messages.ts'
import { PipelineError } from './pipeline-error.ts'

/** The address of a host that may be called. What is dialled must be this one: resolved again, it could be another. */
export async function lookupAllowed(hostname: string, lists: OutboundLists): Promise<string> {
  const policy = createOutboundPolicy(lists)
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => {
    throw new Error(`There is no host ${hostname}.`)
  })
  const allowed = addresses.find(({ address }) => policy.isAllowed(address))
  if (allowed) return allowed.address
  throw new PipelineError('source-unreadable', `${hostname} may not be called; see AERIE_OUTBOUND_DENY.`)
}

/** The URL with its host's name replaced by an address that may be called. */
export async function dialable(url: string, lists: OutboundLists): Promise<string> {
  const { protocol, username, password, hostname, port, pathname, search } = new URL(url)
  const address = await lookupAllowed(hostname, lists)
  const host = address.includes(':') ? `[${address}]` : address
  // Put together anew: the URL's own setter refuses some hosts, and the name may stand in the userinfo too.
  const userinfo = username && `${username}${password && `:${password}`}@`
  return `${protocol}//${userinfo}${host}${port && `:${port}`}${pathname}${search}`
}
