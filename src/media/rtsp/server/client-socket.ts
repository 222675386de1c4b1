/** The part of a connection that a reader writes to. */
export interface MediaSocket {
  write(data: Buffer): void
  /** Written and not yet taken by the network, each write with its overhead. */
  queuedBytes(): number
}

/** The connection, as far as a session needs it. */
export interface ClientSocket extends MediaSocket {
  readonly localAddress: string
  readonly remoteAddress: string
  readonly isEncrypted: boolean
  /** Sends what is queued, then closes. */
  end(): void
  /** Closes at once. */
  destroy(): void
}
