import { type DeliveryEntry, type DeliveryQuery, type DeliveryStanding } from '../core/delivery-entry.ts'
import { type DurableNotifier, type NotifierSource } from '../core/durable-notifier.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { type Page } from '../core/page.ts'
import { type ProgressWriter, type ProgressWriterOptions } from '../core/progress-writer.ts'

/** What this feature needs of the delivery. */
export interface Delivery {
  createDurableNotifier<Item>(source: NotifierSource<Item, OutboundMessage>): DurableNotifier
  createProgressWriter<Progress>(options: ProgressWriterOptions<Progress>): ProgressWriter<Progress>
  /** Resolves when nothing waits in the channel and its next message would be sent at once, or when the signal aborts. */
  whenClear(channel: string, signal: AbortSignal): Promise<void>
  drop(channel: string): Promise<void>
  /** Newest first. */
  list(channels: readonly string[], query: DeliveryQuery): Promise<Page<DeliveryEntry>>
  find(channel: string, id: string): Promise<DeliveryEntry | undefined>
  standing(channels: readonly string[]): Promise<ReadonlyMap<string, DeliveryStanding>>
  /** False when it waits, or nothing is left of it that could be sent. */
  resend(channel: string, id: string): Promise<boolean>
}
