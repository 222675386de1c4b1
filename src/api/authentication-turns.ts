import { createFairStarts } from '../core/fair-starts.ts'
import { type KnownCredentials } from '../core/known-credentials.ts'

/**
 * In what order callers are authenticated. Credentials that were right before have turns of their owner's; those that nobody has shown
 * yet share those of their address, one of each connection in a round, so that thousands of guesses delay no
 * known caller, and nobody else for longer than there are connections.
 */
export interface AuthenticationTurns {
  /** Resolves when it is this one's turn. */
  wait(credential: string | undefined, address: string, connection: unknown): Promise<void>
}

export function createAuthenticationTurns(known: Pick<KnownCredentials, 'ownerOf'>): AuthenticationTurns {
  const starts = createFairStarts(Infinity)
  return {
    wait(credential, address, connection) {
      const owner = known.ownerOf(credential)
      return new Promise((resolve) =>
        owner === undefined
          ? starts.pass(`unknown ${address}`, resolve, connection)
          : starts.pass(`known ${owner}`, resolve, credential),
      )
    },
  }
}
