import { type PageRequest } from './page.ts'

/** A message that was taken: it waits, or what became of it. */
export interface DeliveryEntry {
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

export interface DeliveryQuery extends PageRequest {
  readonly state?: DeliveryEntry['state'] | undefined
}

/** How it stands with a channel: what waits, when it is tried next, when something last arrived. */
export interface DeliveryStanding {
  readonly waiting: number
  readonly nextAttemptAtMs: number | null
  /** Why the last attempt came to nothing; null after one that arrived. */
  readonly trouble: string | null
  readonly lastDeliveredAtMs: number | null
}
