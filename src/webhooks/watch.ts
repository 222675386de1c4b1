import { type Clock } from '../core/clock.ts'
import { type Delivery } from '../core/delivery.ts'
import { type ProcessBrief, type ProcessStateChange } from '../core/events.ts'
import { type MinutesLow } from '../core/minutes.ts'
import { type Scene } from '../core/scene.ts'
import { type Log } from '../observe/log.ts'
import { createNotifier, type Notifier } from './notifier.ts'
import { type OwnedProgress, type Progress, type StoredLengths, type StoredSubscription } from './progress.ts'
import { type TrackLinks } from './track-links.ts'
import { type WebhookStore } from './webhooks.store.ts'

export interface WatchDeps {
  readonly store: Pick<WebhookStore, 'end'> & {
    /** By subscription. */
    saveProgress(newest: ReadonlyMap<string, OwnedProgress>): Promise<void>
    isKnownElsewhere(subscriptionId: string, progress: Progress): boolean
  }
  /** This one is looked at here no more; its process may go on elsewhere. */
  readonly onLeft: (subscriptionId: string) => void
  readonly delivery: Pick<Delivery, 'createDurableNotifier' | 'createProgressWriter' | 'whenClear'>
  readonly trackLinks: TrackLinks
  readonly clock: Clock
  readonly log: Log
}

/** What is gathered is on disk after this long; a crash may lose what was gathered within it. */
const SAVE_EVERY_MS = 250

export type Watch = ReturnType<typeof createWatch>

/** Looks at all processes for all subscribers. */
export function createWatch({ store, onLeft, delivery, trackLinks, clock, log }: WatchDeps) {
  const byProcess = new Map<string, Map<string, Notifier>>()
  let isClosed = false
  const progressWriter = delivery.createProgressWriter<OwnedProgress>({
    save: (newest) => store.saveProgress(newest),
    everyMs: SAVE_EVERY_MS,
    onError: (error) => log.error({ err: error }, 'what webhooks have gathered could not be written; trying again'),
  })

  function add(subscription: StoredSubscription): void {
    const { id, accountId, processId } = subscription
    // It was taken up before what came after it failed.
    if (byProcess.get(processId)?.has(id)) return
    const onProgress = (progress: Progress) => {
      if (!isClosed) progressWriter.writeSoon(id, { accountId, progress })
    }
    const writeProgress = (progress: Progress) => progressWriter.write(id, { accountId, progress })
    const isKnownElsewhere = (progress: Progress) => store.isKnownElsewhere(id, progress)
    const about = { subscription, onProgress, writeProgress, isKnownElsewhere }
    const notifier = createNotifier({ ...about, delivery, trackLinks, clock, log })
    const notifiers = byProcess.get(processId) ?? new Map<string, Notifier>()
    byProcess.set(processId, notifiers.set(id, notifier))
  }

  async function finish(processId: string): Promise<void> {
    const notifiers = [...(byProcess.get(processId)?.values() ?? [])]
    byProcess.delete(processId)
    await Promise.all(notifiers.map((notifier) => notifier.finish()))
    await store.end(processId, clock.now())
    await Promise.all(notifiers.map((notifier) => notifier.close()))
  }

  return {
    add,
    async remove(subscriptionId: string): Promise<void> {
      for (const [processId, notifiers] of byProcess) {
        const notifier = notifiers.get(subscriptionId)
        if (!notifier) continue
        notifiers.delete(subscriptionId)
        if (notifiers.size === 0) byProcess.delete(processId)
        await notifier.close()
        progressWriter.forget(subscriptionId)
        onLeft(subscriptionId)
      }
    },
    /** The database does not take how far this one has come, and has so much of it. */
    onSpooled(subscriptionId: string, stored: StoredLengths): void {
      for (const notifiers of byProcess.values()) notifiers.get(subscriptionId)?.detach(stored)
    },
    onScene({ processId }: Pick<ProcessBrief, 'processId'>, scene: Scene): void {
      for (const notifier of byProcess.get(processId)?.values() ?? []) notifier.onScene(scene)
    },
    async onState(change: Omit<ProcessStateChange, 'accountId' | 'sourceId' | 'restarts'>): Promise<void> {
      for (const notifier of byProcess.get(change.processId)?.values() ?? []) notifier.onState(change)
      if (!change.isLive) await finish(change.processId)
    },
    onMinutesLow(low: MinutesLow): void {
      for (const processId of low.processIds)
        for (const notifier of byProcess.get(processId)?.values() ?? []) notifier.onMinutesLow(low)
    },
    /** The process goes on elsewhere: resolves when it is written how far all have come, and rejects when that can't be. */
    async handOver(processId: string): Promise<void> {
      const notifiers = [...(byProcess.get(processId)?.values() ?? [])]
      byProcess.delete(processId)
      await Promise.all(notifiers.map((notifier) => notifier.close()))
      for (const { subscription, progress } of notifiers) {
        await progressWriter.write(subscription.id, { accountId: subscription.accountId, progress })
        onLeft(subscription.id)
      }
    },
    /** Nothing more is sent of it, and nobody knows how it ended. */
    finish,
    watched: (): StoredSubscription[] =>
      [...byProcess.values()].flatMap((notifiers) =>
        [...notifiers.values()].map(({ subscription, progress }) => ({ ...subscription, progress })),
      ),
    async close(): Promise<void> {
      const notifiers = [...byProcess.values()].flatMap((some) => [...some.values()])
      await Promise.all(notifiers.map((notifier) => notifier.close()))
      isClosed = true
      await progressWriter.flush()
    },
  }
}
