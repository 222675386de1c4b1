import { type DeliveryEntry } from '../core/delivery-entry.ts'
import { type Subscription } from './subscription.ts'

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
