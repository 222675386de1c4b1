import { lookup } from 'node:dns/promises'
import { createOutboundPolicy } from '../../core/outbound.ts'
import { PipelineError } from '../pipeline-error.ts'

export interface OutboundLists {
  readonly deny: readonly string[]
  readonly allow: readonly string[]
}

/**
 * The URL with its host's name replaced by the address that was checked: were it resolved a second time, it could be
 * another one. Rejects when there is no such host, or none that may be called.
 */
export async function dialable(url: string, lists: OutboundLists): Promise<string> {
  const parsed = new URL(url)
  const policy = createOutboundPolicy(lists)
  const addresses = await lookup(parsed.hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => {
    throw new Error(`There is no host ${parsed.hostname}.`)
  })
  const allowed = addresses.find(({ address }) => policy.isAllowed(address))
  if (!allowed) throw new PipelineError('source-unreadable', 'This address may not be called; see AERIE_OUTBOUND_DENY.')
  const host = allowed.family === 6 ? `[${allowed.address}]` : allowed.address
  // Not by the URL's own setter: for schemes that it does not know it refuses some hosts. Nor by a search for the name,
  // which may stand in the userinfo too.
  const { protocol, username, password, port, pathname, search } = parsed
  const userinfo = username && `${username}${password && `:${password}`}@`
  return `${protocol}//${userinfo}${host}${port && `:${port}`}${pathname}${search}`
}
