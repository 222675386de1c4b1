import { type Duplex } from 'node:stream'

/** Whose request goes through a tunnel, as the node knows it that the client has called. */
export interface TunnelClient {
  readonly address: string
  /** It has called by HTTPS. */
  readonly isEncrypted: boolean
}

/** A connection through another node, in the place of the client's own: what an HTTP server wants to know of a socket. */
export interface TunnelSocket extends Duplex {
  readonly remoteAddress: string
  readonly encrypted: boolean
  /** Closes it when all that was written is sent. */
  destroySoon(): void
}
