import { type Subscription } from './subscription.ts'
import { join, lengthOf, type Notification } from './webhooks.messages.ts'

/** A notification with the id under which it will arrive, however often it is sent. */
export interface Gathered {
  readonly id: string
  readonly notification: Notification
}

/** How far a subscription has come. Plain data: it is kept in the database, and a restart goes on from it. */
export interface Progress {
  /** Tracks up to this id were told before the service started. */
  readonly lastTrackId: number
  readonly targetCount: number
  readonly processState: string
  readonly lastReleasedAtMs: number | null
  /** What happened since the last notification and waits for its time. */
  readonly gathered: Gathered | null
  /** What is on its way to the outbox, and not yet surely there. */
  readonly released: readonly Gathered[]
}

/** A subscription with how far it has come. */
export interface StoredSubscription extends Subscription {
  readonly progress: Progress
}

/** As many tracks or changes are gathered; then they are told early rather than not at all. */
export const MOST_GATHERED = 1_000

/** As many wait for a database that does not answer; of more the oldest are lost, and that is logged. */
export const MOST_RELEASED = 20

export function newProgress(processState: string): Progress {
  return { lastTrackId: 0, targetCount: 0, processState, lastReleasedAtMs: null, gathered: null, released: [] }
}

/** How long what is gathered has to wait. Never longer than the backoff, whatever was done to the clock. */
export function waitOf({ lastReleasedAtMs }: Progress, backoffMs: number, nowMs: number): number {
  if (lastReleasedAtMs === null) return 0
  return Math.max(0, Math.min(backoffMs, lastReleasedAtMs + backoffMs - nowMs))
}

/** Something happened: it joins what is gathered, and goes if the time has come. */
export function tell(
  progress: Progress,
  { id, notification }: Gathered,
  { backoffMs, nowMs }: { readonly backoffMs: number; readonly nowMs: number },
): Progress {
  const { gathered } = progress
  const joined = gathered
    ? { id: gathered.id, notification: join(gathered.notification, notification) }
    : { id, notification }
  const isDue = waitOf(progress, backoffMs, nowMs) === 0 || lengthOf(joined.notification) >= MOST_GATHERED
  const next = { ...progress, gathered: joined }
  return isDue ? release(next, nowMs) : next
}

/** What is gathered goes now. */
export function release(progress: Progress, nowMs: number): Progress {
  const { gathered, released } = progress
  if (!gathered) return progress
  const kept = [...released, gathered].slice(-MOST_RELEASED)
  return { ...progress, gathered: null, released: kept, lastReleasedAtMs: nowMs }
}

/** It is in the outbox. */
export function settle(progress: Progress, id: string): Progress {
  return { ...progress, released: progress.released.filter((one) => one.id !== id) }
}
