import { createFairStarts } from '../core/fair-starts.ts'

/**
 * In what order it is looked up who asks. Credentials that were right before have turns of their own, each beside all others; those that
 * nobody has shown yet share those of their address, so that thousands of guesses stand in the way of nobody who is known.
 */
export interface AuthenticationTurns {
  /** Resolves when it is this one's turn. */
  wait(credential: string | undefined, address: string): Promise<void>
  /** It was right. */
  know(credential: string | undefined): void
}

const MAX_KNOWN = 10_000

export function createAuthenticationTurns(maxKnown = MAX_KNOWN): AuthenticationTurns {
  const starts = createFairStarts(Infinity)
  /** Those that were shown lately last. */
  const known = new Set<string>()

  return {
    wait: (credential = '', address) =>
      new Promise((resolve) =>
        starts.pass(known.has(credential) ? `known ${credential}` : `unknown ${address}`, resolve),
      ),
    know(credential = '') {
      known.delete(credential)
      known.add(credential)
      if (known.size > maxKnown) known.delete(known.keys().next().value!)
    },
  }
}
