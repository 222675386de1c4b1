import { type Access } from '../media/messages.ts'
import { type InternalTokens } from './internal-tokens.ts'
import { type MediaAddresses } from './media-addresses.ts'

/** An address at our media server that works for one of our own workers, until it is taken back. */
export interface Grant {
  readonly url: string
  readonly revoke: () => void
}

/**
 * Lets one of our workers read this path, or publish to it. `onBehalfOf`: for a client that was admitted as this, and whose quota it
 * counts against.
 */
export type GrantAccess = (action: 'read' | 'publish', path: string, onBehalfOf?: Access) => Grant

export function createGrants(tokens: InternalTokens, addresses: Pick<MediaAddresses, 'internalRtspUrl'>): GrantAccess {
  return (action, path, onBehalfOf) => {
    const token = tokens.issue({ action, path, ...(onBehalfOf && { onBehalfOf }) })
    return { url: addresses.internalRtspUrl(path, token), revoke: () => tokens.revoke(token) }
  }
}
