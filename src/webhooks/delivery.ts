import { type DurableNotifier, type NotifierSource } from '../core/durable-notifier.ts'
import { type Page } from '../core/page.ts'
import { type ProgressWriter, type ProgressWriterOptions } from '../core/progress-writer.ts'

export interface Message {
  readonly id: string
  readonly channel: string
  readonly accountId: string
  readonly destination: {
    readonly kind: 'webhook'
    readonly url: string
    readonly secret: string
    readonly authUrl?: string
  }
  readonly body: string
  readonly createdAtMs: number
  /** At least so long between the receiver's answer and the next one of the channel. */
  readonly spacingMs: number
}

/** What is needed of who delivers. */
export interface Delivery {
  createNotifier<Item>(source: NotifierSource<Item, Message>): DurableNotifier
  createProgressWriter<Progress>(options: ProgressWriterOptions<Progress>): ProgressWriter<Progress>
  /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
  whenClear(channel: string, signal: AbortSignal): Promise<void>
  drop(channel: string, what: 'waiting' | 'all'): Promise<void>
  /** Newest first. */
  list(channels: readonly string[], query: DeliveryQuery): Promise<Page<DeliveryEntry>>
  find(channel: string, id: string): Promise<DeliveryEntry | undefined>
  standing(channels: readonly string[]): Promise<ReadonlyMap<string, DeliveryStanding>>
  /** False when it waits, or nothing is left of it that could be sent. */
  resend(channel: string, id: string): Promise<boolean>
}

export interface DeliveryQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly state?: DeliveryEntry['state'] | undefined
}

export interface DeliveryEntry {
  readonly id: string
  readonly channel: string
  readonly state: 'waiting' | 'delivered' | 'dead' | 'dropped'
  readonly attempts: number
  readonly error: string | null
  readonly createdAtMs: number
  readonly settledAtMs: number | null
}

export interface DeliveryStanding {
  readonly waiting: number
  readonly nextAttemptAtMs: number | null
  readonly lastDeliveredAtMs: number | null
}
