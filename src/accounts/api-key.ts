import { randomBytes } from 'node:crypto'
import { DIGEST_REALM, digestHa1, sha256Of } from '../core/digest.ts'

/** What is kept of a key: enough to recognise it, not enough to use it elsewhere. */
export interface KeyHashes {
  readonly sha256: string
  readonly ha1: string
}

/** `ak_` and 32 url-safe characters: 192 bits that nobody guesses. */
export function newApiKey(): string {
  return `ak_${randomBytes(24).toString('base64url')}`
}

export function hashApiKey(key: string): string {
  // A plain hash suffices, and must be fast: keys are random, so there is nothing to try out (unlike passwords).
  return sha256Of(key)
}

export function hashesOf(username: string, key: string): KeyHashes {
  return { sha256: hashApiKey(key), ha1: digestHa1(username, DIGEST_REALM, key) }
}
