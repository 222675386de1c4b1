import { type Clock } from '../core/clock.ts'
import { type ProcessBrief, type ProcessStateChange } from '../core/events.ts'
import { type Scene } from '../core/scene.ts'
import { type Log } from '../observe/log.ts'
import { type Delivery } from './delivery.ts'
import { createNotifier, type Notifier } from './notifier.ts'
import { type StoredSubscription } from './progress.ts'
import { channelOf } from './subscription.ts'
import { type WebhookStore } from './webhooks.store.ts'

export interface WatchDeps {
  readonly store: Pick<WebhookStore, 'saveProgress' | 'end'>
  readonly delivery: Pick<Delivery, 'send' | 'whenClear'>
  readonly clock: Clock
  readonly log: Log
}

/** What is gathered is on disk after this long; a crash may lose what was gathered within it. */
const SAVE_EVERY_MS = 250

export type Watch = ReturnType<typeof createWatch>

/** Looks at all processes for all subscribers. */
export function createWatch({ store, delivery, clock, log }: WatchDeps) {
  const byProcess = new Map<string, Map<string, Notifier>>()
  const changed = new Set<Notifier>()
  let saving: Promise<void> | undefined

  async function saveSoon(): Promise<void> {
    await clock.sleep(SAVE_EVERY_MS, closing.signal)
    await save()
    saving = undefined
    if (changed.size > 0) onProgress()
  }
  const closing = new AbortController()

  async function save(): Promise<void> {
    const notifiers = [...changed]
    changed.clear()
    if (notifiers.length === 0) return
    try {
      await store.saveProgress(notifiers.map(({ subscription, progress }) => ({ id: subscription.id, progress })))
    } catch (error) {
      log.error({ err: error }, 'what webhooks have gathered could not be written; trying again')
      for (const notifier of notifiers) changed.add(notifier)
    }
  }

  function onProgress(): void {
    if (!closing.signal.aborted) saving ??= saveSoon()
  }

  function add(subscription: StoredSubscription): void {
    const { id, processId, accountId, notificationUrl: url, secret, authUrl, backoffMs } = subscription
    const channel = channelOf(subscription)
    const notifier: Notifier = createNotifier({
      subscription,
      send: ({ id: webhookId, notification }) =>
        delivery.send({
          id: webhookId,
          channel,
          accountId,
          destination: { kind: 'webhook', url, secret, ...(authUrl !== null && { authUrl }) },
          body: JSON.stringify(notification),
          createdAtMs: clock.now(),
          spacingMs: backoffMs,
        }),
      whenClear: (signal) => delivery.whenClear(channel, signal),
      onProgress: () => {
        changed.add(notifier)
        onProgress()
      },
      clock,
      log,
    })
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
        changed.delete(notifier)
      }
    },
    onScene({ processId }: Pick<ProcessBrief, 'processId'>, scene: Scene): void {
      for (const notifier of byProcess.get(processId)?.values() ?? []) notifier.onScene(scene)
    },
    async onState(change: Omit<ProcessStateChange, 'accountId' | 'sourceId' | 'restarts'>): Promise<void> {
      for (const notifier of byProcess.get(change.processId)?.values() ?? []) notifier.onState(change)
      if (!change.isLive) await finish(change.processId)
    },
    /** Nothing more is told of it, and nobody knows how it ended. */
    finish,
    watched: (): StoredSubscription[] =>
      [...byProcess.values()].flatMap((notifiers) =>
        [...notifiers.values()].map(({ subscription, progress }) => ({ ...subscription, progress })),
      ),
    async close(): Promise<void> {
      closing.abort()
      const notifiers = [...byProcess.values()].flatMap((some) => [...some.values()])
      await Promise.all(notifiers.map((notifier) => notifier.close()))
      await saving
      await save()
    },
  }
}
