import { type DeliveryEntry } from '../core/outbound-message.ts'

export const eventTypes = ['new-tracks', 'target-count', 'process-state', 'minutes-low'] as const
export type EventType = (typeof eventTypes)[number]

export const notificationFormats = ['simple', 'full'] as const
export type NotificationFormat = (typeof notificationFormats)[number]

/** A receiver that is notified of one kind of event of one process. */
export interface Subscription {
  readonly id: string
  readonly accountId: string
  readonly processId: string
  /** With its password; masked wherever it is shown. */
  readonly notificationUrl: string
  readonly eventType: EventType
  readonly notificationFormat: NotificationFormat
  /** At least this long between two notifications. */
  readonly backoffMs: number
  readonly authUrl: string | null
  /** `whsec_…`; shown once. */
  readonly secret: string
  readonly createdAt: number
  /** When its process ended; null while it goes on. */
  readonly endedAt: number | null
}

/** Which subscriptions of a process: those that all of these fit. */
export interface SubscriptionFilter {
  readonly id?: string | undefined
  readonly notificationUrl?: string | undefined
  readonly eventType?: EventType | undefined
}

/** Deliveries of a subscription keep their order by this name. */
export function channelOf({ id }: Pick<Subscription, 'id'>): string {
  return `webhook:${id}`
}

export function subscriptionIdOf(channel: string): string {
  return channel.slice('webhook:'.length)
}

/** A subscription and how it stands with it. */
export interface ListedSubscription {
  readonly subscription: Subscription
  readonly pending: number
  readonly lastDeliveryAt: number | null
}

/** A delivery and whose it is. */
export interface DeliveryOf {
  readonly entry: DeliveryEntry
  readonly subscription: Subscription
  readonly nextAttemptAt: number | null
}
