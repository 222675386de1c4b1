import { randomBytes } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { sha256Of } from '../core/digest.ts'
import { dropOldest } from '../core/drop-oldest.ts'

/**
 * Codes that sign in once, for links: the key itself must stand in no address. They are few, live for minutes and are gone
 * after a restart.
 */
export interface SignInCodes {
  issue(keySha256: string): { readonly code: string; readonly expiresAt: number }
  /** The hash of the key that it signs in; undefined when it is unknown, used up or too old. */
  take(code: string): string | undefined
}

const LIFE_MS = 15 * 60_000
/** Of one key, so that nobody pushes out the codes of others, and of all together. The oldest goes first. */
const MAX_CODES_OF_KEY = 20
const MAX_CODES = 1000

export function createSignInCodes(clock: Clock): SignInCodes {
  const codes = new Map<string, { readonly keySha256: string; readonly expiresAt: number }>()

  return {
    issue(keySha256) {
      const code = randomBytes(18).toString('base64url')
      const expiresAt = clock.now() + LIFE_MS
      codes.set(sha256Of(code), { keySha256, expiresAt })
      const ofKey = [...codes].filter(([, known]) => known.keySha256 === keySha256)
      if (ofKey.length > MAX_CODES_OF_KEY) codes.delete(ofKey[0]![0])
      else dropOldest(codes, MAX_CODES)
      return { code, expiresAt }
    },
    take(code) {
      const hash = sha256Of(code)
      const found = codes.get(hash)
      codes.delete(hash)
      return found && found.expiresAt > clock.now() ? found.keySha256 : undefined
    },
  }
}
