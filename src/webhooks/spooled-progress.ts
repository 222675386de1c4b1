import { type Clock } from '../core/clock.ts'
import { type Delivery, UnacceptableError } from '../core/delivery.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Log } from '../observe/log.ts'
import {
  lengthsOf,
  type OwnedProgress,
  type Progress,
  type StoredLengths,
  type StoredSubscription,
  unstored,
} from './progress.ts'
import { toMessage } from './subscription-message.ts'
import { type TrackLinks } from './track-links.ts'
import { type WebhookStore } from './webhooks.store.ts'

/**
 * How far subscriptions have come, as it is written: into the database, or into the spool while that is away. Meanwhile another node may
 * go on with the process, from what the database has. What we have gathered beyond that is sent all the same, as messages of its own.
 */
export interface SpooledProgress {
  save(newest: ReadonlyMap<string, OwnedProgress>): Promise<void>
  /** Whether the database is known to have all that is gathered or released; always where there is no other node. */
  isStored(subscriptionId: string, progress: Progress): boolean
  /** As they are with what an earlier start of this service left in the spool. */
  restore(subscriptions: readonly StoredSubscription[]): Promise<StoredSubscription[]>
  /** It is looked at no more. */
  forget(subscriptionId: string): void
}

export interface SpooledProgressDeps {
  readonly store: Pick<WebhookStore, 'saveProgress' | 'findWithOwner'>
  readonly delivery: Pick<Delivery, 'createSpooledWriter' | 'leave'>
  /** Of nodes any of which may go on with a process while another still looks at it, cut off from the database. */
  readonly isOneOfSeveral: boolean
  /** The database does not take how far this one has come; this is what it has of it. */
  readonly onSpooled: (subscriptionId: string, stored: StoredLengths) => void
  readonly trackLinks: Pick<TrackLinks, 'addTo'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** What one of several nodes has in its spool. */
interface Spooled extends Progress {
  /** The start of the service that wrote it; older versions did not say which, nor what the database had. */
  readonly run?: string
  readonly stored?: StoredLengths
}

export function createSpooledProgress(deps: SpooledProgressDeps): SpooledProgress {
  const { store, delivery, isOneOfSeveral, onSpooled, trackLinks, clock, log } = deps
  const run = orderedUuid()
  /** By subscription, what the database is known to have. */
  const storedOf = new Map<string, StoredLengths>()
  const saved = new WeakSet<Spooled>()
  const writer = delivery.createSpooledWriter<Spooled>({ kind: 'webhook-progress', save: saveEach })

  const isLeft = (spooled: Spooled) => isOneOfSeveral && spooled.run !== run

  async function saveEach(newest: ReadonlyMap<string, Spooled>): Promise<void> {
    await saveOwn(new Map([...newest].filter(([, spooled]) => !isLeft(spooled))))
    for (const [id, spooled] of newest) if (isLeft(spooled)) await saveLeft(id, spooled)
  }

  async function saveOwn(newest: ReadonlyMap<string, Spooled>): Promise<void> {
    if (newest.size === 0) return
    await store.saveProgress(new Map([...newest].map(([id, spooled]) => [id, toProgress(spooled)])))
    for (const [id, spooled] of newest) {
      saved.add(spooled)
      note(id, spooled)
    }
  }

  /** Most have nothing that waits. */
  function note(id: string, progress: Progress): void {
    const stored = lengthsOf(progress)
    if (isOneOfSeveral && Object.keys(stored).length > 0) storedOf.set(id, stored)
    else storedOf.delete(id)
  }

  async function saveLeft(id: string, spooled: Spooled): Promise<void> {
    const found = await store.findWithOwner(id)
    // Nobody is to be notified any more.
    if (!found) return
    const { subscription, isOurs } = found
    if (isOurs && goesOn(spooled, subscription)) await store.saveProgress(new Map([[id, toProgress(spooled)]]))
    else await leave(spooled, subscription)
  }

  /** Whether nobody has written how far it has come since we did. */
  const goesOn = ({ stored }: Spooled, { progress }: StoredSubscription) =>
    stored === undefined || isSame(stored, lengthsOf(progress))

  async function leave(spooled: Spooled, subscription: StoredSubscription): Promise<void> {
    const rest = unstored(spooled, { ...spooled.stored, ...lengthsOf(subscription.progress) })
    for (const { id, notification } of rest) {
      const linked = trackLinks.addTo(notification, spooled.linked ?? 'none')
      const message = toMessage(subscription, { id, notification: linked }, clock.now())
      await delivery.leave(message).catch((error: unknown) => {
        if (!(error instanceof UnacceptableError)) throw error
        log.error({ err: error, subscription_uuid: subscription.id }, 'a notification cannot be delivered')
      })
    }
  }

  return {
    async save(newest) {
      const entries = new Map<string, Spooled>()
      for (const [id, { progress }] of newest)
        entries.set(id, isOneOfSeveral ? { ...progress, run, stored: storedOf.get(id) ?? {} } : { ...progress })
      await writer.write(entries, (id) => newest.get(id)!.accountId)
      if (!isOneOfSeveral) return
      for (const [id, spooled] of entries) if (!saved.has(spooled)) onSpooled(id, spooled.stored!)
    },
    isStored: (id, progress) => !isOneOfSeveral || isSame(lengthsOf(progress), storedOf.get(id) ?? {}),
    async restore(subscriptions) {
      const waiting = writer.waiting()
      const restored: StoredSubscription[] = []
      for (const subscription of subscriptions) {
        const spooled = waiting.get(subscription.id)
        note(subscription.id, subscription.progress)
        const isOurs = spooled !== undefined && (!isLeft(spooled) || goesOn(spooled, subscription))
        // Before we write anything in its place.
        if (spooled && !isOurs) await leave(spooled, subscription)
        restored.push(isOurs ? { ...subscription, progress: toProgress(spooled) } : subscription)
      }
      return restored
    },
    forget: (subscriptionId) => void storedOf.delete(subscriptionId),
  }
}

function toProgress({ run: _run, stored: _stored, ...progress }: Spooled): Progress {
  return progress
}

function isSame(one: StoredLengths, other: StoredLengths): boolean {
  const ids = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...ids].every((id) => one[id] === other[id])
}
