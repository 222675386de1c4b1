/** What a client authenticates with, in the ways that the protocols have for it. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  /** HTTP Digest with MD5 (RFC 2617 without qop, or with qop=auth), as RTSP clients send it. */
  | {
      readonly kind: 'digest'
      readonly username: string
      readonly realm: string
      readonly nonce: string
      readonly uri: string
      readonly method: string
      readonly response: string
      readonly qop?: { readonly nonceCount: string; readonly clientNonce: string }
    }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'token'; readonly token: string }

export type Protocol = 'rtsp' | 'rtmp' | 'hls' | 'webrtc'

export interface AccessRequest {
  readonly credentials: Credentials
  readonly remoteAddress: string
  readonly protocol: Protocol
}

/** An authorized client. */
export interface Access {
  /** The same for every connection of the same key, so that a reconnecting publisher is known as itself. */
  readonly principal: string
  /** One of our own workers, which the main process ends itself: its right is not checked again. */
  readonly isInternal?: boolean
  /** It reads for people who watch. */
  readonly isForViewers?: boolean
  /** Another of our nodes: what it publishes is a relay, and it reads only what is published here. */
  readonly isRelay?: boolean
  /** The account that has the path, or its master: it may know what is wrong with the path's camera. */
  readonly isOwner?: boolean
  /** What this publication counts against; missing where none is counted. */
  readonly quota?: PathQuota
  /** The same of a reading. */
  readonly readerQuota?: ReaderQuota
}

export interface PathQuota {
  /** The account whose name the path begins with. */
  readonly owner: string
  /** Paths that may be published to below that name at a time. */
  readonly maxPaths: number
}

export interface ReaderQuota {
  readonly owner: string
  /** Readers of all paths below that name at a time. */
  readonly maxReaders: number
}

/**
 * Resolves with the client's access, or rejects with a `MediaRefusal`. `isAgain`: it was admitted before and stays, so attempts that failed
 * meanwhile do not count.
 */
export type Authorize = (
  action: 'publish' | 'read',
  path: string,
  request: AccessRequest,
  isAgain: boolean,
) => Promise<Access>
