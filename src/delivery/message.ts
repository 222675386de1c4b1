import { type OutboundMessage } from '../core/outbound-message.ts'

/** Brings one message to its destination. Rejects with a sentence, and perhaps a `retryAfterMs`, when that did not work. */
export interface Sender {
  /** When the signal aborts nobody waits for it any more; what can be ended of it is. */
  send(message: OutboundMessage, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface NotDeliveredOptions {
  readonly cause?: unknown
  readonly retryAfterMs?: number | undefined
  readonly isUnsent?: boolean
}

/** The destination does not take the message now. */
export class NotDelivered extends Error {
  /** When the destination says that it will take it. */
  readonly retryAfterMs: number | undefined
  /** Nothing of it has reached the destination, for sure. */
  readonly isUnsent: boolean

  constructor(sentence: string, options: NotDeliveredOptions = {}) {
    super(sentence, { cause: options.cause })
    this.name = 'NotDelivered'
    this.retryAfterMs = options.retryAfterMs
    this.isUnsent = options.isUnsent ?? false
  }
}
