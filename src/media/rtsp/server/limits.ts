export interface RtspLimits {
  /** Tracks sent or received by UDP at the same time. */
  readonly maxUdpTracks: number
  /** The same of one account's streams. */
  readonly maxUdpTracksPerAccount: number
  /** What may wait in the socket of a reader by TCP, beside the group of pictures that it began with. */
  readonly maxQueuedBytes: number
  /** Answers that a client doesn't take. */
  readonly maxQueuedAnswerBytes: number
  readonly maxWrongCredentials: number
}

export const DEFAULT_LIMITS: RtspLimits = {
  maxUdpTracks: 1000,
  maxUdpTracksPerAccount: 250,
  maxQueuedBytes: 8 * 1024 * 1024,
  maxQueuedAnswerBytes: 256 * 1024,
  maxWrongCredentials: 3,
}

export interface RtspTimeouts {
  /** From the first byte of a request to its last. */
  readonly requestMs: number
  /** Without a request or, by UDP, a receiver report; readers by TCP are kept by their connection. */
  readonly sessionMs: number
  /** From being accepted until something is published or played, whatever is requested meanwhile; after a session ends, likewise. */
  readonly startMs: number
  /** A publisher that sends no media. */
  readonly publisherMs: number
  /** How long bytes may wait in the socket of a reader by TCP. */
  readonly maxQueuedMs: number
  readonly nonceMs: number
  /** For the last bytes to leave when a connection ends. */
  readonly closeMs: number
  /** How often all of these are checked. */
  readonly checkEveryMs: number
}

export const DEFAULT_TIMEOUTS: RtspTimeouts = {
  requestMs: 10_000,
  sessionMs: 60_000,
  startMs: 30_000,
  publisherMs: 10_000,
  maxQueuedMs: 5_000,
  nonceMs: 300_000,
  closeMs: 5_000,
  checkEveryMs: 1_000,
}
