import { randomBytes } from 'node:crypto'
import { type Access } from '../media/messages.ts'
import { type MediaAddresses } from './media-addresses.ts'

/** What one of our own workers may do at the media server: one action on one path. */
export interface InternalRight extends GrantPurpose {
  readonly action: 'publish' | 'read'
  readonly path: string
}

/** For whom a worker publishes or reads; nothing where it is for ourselves. */
export interface GrantPurpose {
  /** A client that was admitted as this, and whose quota it counts against. */
  readonly onBehalfOf?: Access
  /** People who watch: they are shown what came last, however old. */
  readonly isForViewers?: boolean
}

/** Tokens for our own workers. They live in memory only and die with the service, like the workers. */
export interface InternalTokens {
  issue(right: InternalRight): string
  find(token: string): InternalRight | undefined
  revoke(token: string): void
}

export function createInternalTokens(): InternalTokens {
  const rights = new Map<string, InternalRight>()
  return {
    issue(right) {
      const token = `it_${randomBytes(24).toString('base64url')}`
      rights.set(token, right)
      return token
    },
    find: (token) => rights.get(token),
    revoke: (token) => void rights.delete(token),
  }
}

/** An address at our media server that works for one of our own workers, until it is taken back. */
export interface Grant {
  readonly url: string
  readonly revoke: () => void
}

/** Lets one of our workers read this path, or publish to it. */
export type GrantAccess = (action: 'read' | 'publish', path: string, purpose?: GrantPurpose) => Grant

export function createGrants(tokens: InternalTokens, addresses: Pick<MediaAddresses, 'internalRtspUrl'>): GrantAccess {
  return (action, path, purpose) => {
    const token = tokens.issue({ action, path, ...purpose })
    return { url: addresses.internalRtspUrl(path, token), revoke: () => tokens.revoke(token) }
  }
}
