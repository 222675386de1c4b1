import { type ConnectionAdmission } from '../../connection-admission.ts'
import { type Hub } from '../../hub.ts'
import { type Certificate } from '../../listener.ts'
import { type Pair } from '../wire/transport-header.ts'
import { type WaitingBytes } from '../../waiting-bytes.ts'

export interface RtspServerOptions {
  readonly hub: Hub
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** With it the server speaks RTSPS, and media go by TCP only, so that nothing leaves unencrypted. */
  readonly tls?: Certificate
  /** Shared by all protocols; one of its own when missing. */
  readonly admission?: ConnectionAdmission
  /** Likewise. */
  readonly waitingBytes?: WaitingBytes
  /** UDP ports for media, from and to; any free ones when missing. A firewall wants to know them. */
  readonly udpPortRange?: Pair
  readonly log: RtspLog
  readonly limits?: Partial<RtspLimits>
  readonly timeouts?: Partial<RtspTimeouts>
  /** Milliseconds from any beginning; only differences count, so by default a clock that nobody sets. */
  readonly now?: () => number
}

export interface RtspLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

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

export const defaultLimits: RtspLimits = {
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
  /** From a grant until something is published or played, whatever is asked meanwhile; after a session ends, likewise. */
  readonly startMs: number
  /** A publisher that sends no media. */
  readonly publisherMs: number
  /** How long bytes may wait in the socket of a reader by TCP. */
  readonly maxQueuedMs: number
  readonly nonceMs: number
  /** For the last bytes to leave when a connection ends. */
  readonly closeMs: number
  /** How often all of these are looked at. */
  readonly checkEveryMs: number
}

export const defaultTimeouts: RtspTimeouts = {
  requestMs: 10_000,
  sessionMs: 60_000,
  startMs: 30_000,
  publisherMs: 10_000,
  maxQueuedMs: 5_000,
  nonceMs: 300_000,
  closeMs: 5_000,
  checkEveryMs: 1_000,
}
