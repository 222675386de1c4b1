import { type Clock } from '../core/clock.ts'
import { type LinkSigner } from '../core/signed-token.ts'

/**
 * By which one node reads another's path, or publishes to it, as a relay: signed with the secret that all nodes share, and good for
 * the one path while a connection is made. Rights of viewers are checked at the node where they are.
 */
export interface RelayTokens {
  issue(action: 'read' | 'publish', path: string): string
  isValid(token: string, action: 'read' | 'publish', path: string): boolean
}

/** Longer than connecting takes, and as far as the clocks of two nodes may be apart. */
const LIFETIME_MS = 60_000
const PREFIX = 'nt_'

const subjectOf = (action: string, path: string) => `relay ${action} ${path}`

export function createRelayTokens(signer: LinkSigner, clock: Pick<Clock, 'now'>): RelayTokens {
  return {
    issue: (action, path) => PREFIX + signer.sign(subjectOf(action, path), clock.now() + LIFETIME_MS),
    isValid(token, action, path) {
      if (!token.startsWith(PREFIX)) return false
      return signer.isValid(subjectOf(action, path), token.slice(PREFIX.length), clock.now())
    },
  }
}

/** Of a node that is alone. */
export const NO_RELAY_TOKENS: Pick<RelayTokens, 'isValid'> = { isValid: () => false }
