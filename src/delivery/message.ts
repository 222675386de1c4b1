import { type Destination } from '../core/destination.ts'

export interface OutboundMessage {
  /** The same however often it is sent; sent again, it is the same message. */
  readonly id: string
  /** What keeps its order: messages of one channel arrive one after the other. */
  readonly channel: string
  readonly accountId: string
  readonly destination: Destination
  readonly body: string
  readonly createdAtMs: number
  /** At least this long between the receiver's answer and the next message of the channel. Default: none. */
  readonly spacingMs?: number
}

/** A message that was taken: it waits, or what became of it. */
export interface OutboxEntry {
  readonly id: string
  readonly channel: string
  /** `dead`: not delivered within a day, may be sent again; `dropped`: too many waited. */
  readonly state: 'waiting' | 'delivered' | 'dead' | 'dropped'
  readonly attempts: number
  /** What went wrong at the last attempt. */
  readonly error: string | null
  readonly createdAtMs: number
  readonly settledAtMs: number | null
}

/** Brings one message to its destination. Rejects with a sentence, and perhaps a `retryAfterMs`, when that did not work. */
export interface Sender {
  send(message: OutboundMessage): Promise<void>
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
