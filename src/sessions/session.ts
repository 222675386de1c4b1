/** A browser that has signed in with a key. Only the hash of its secret is kept. */
export interface Session {
  readonly secretSha256: string
  /** The key's own hash: when the key is replaced or revoked, the session fits nobody any more. */
  readonly keySha256: string
  readonly createdAt: number
  readonly expiresAt: number
}
