import { type Account, isMaster } from '../core/account.ts'
import { hostErrors, type ObjectionTo } from '../core/check-hosts.ts'
import { type Clock } from '../core/clock.ts'
import { type Delivery } from '../core/delivery.ts'
import { AppError, type InputError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type DeliveryQuery, newWebhookSecret } from '../core/outbound-message.ts'
import { type Page } from '../core/page.ts'
import { inputInvalid } from '../core/refusals.ts'
import { newProgress, type StoredSubscription } from './progress.ts'
import {
  channelOf,
  type DeliveryOf,
  type ListedSubscription,
  type Subscription,
  type SubscriptionFilter,
  subscriptionIdOf,
} from './subscription.ts'
import { type NewSubscription } from './webhooks.schema.ts'
import { type WebhookStore } from './webhooks.store.ts'

export interface WebhookDeps {
  readonly store: WebhookStore
  readonly delivery: Pick<Delivery, 'drop' | 'list' | 'find' | 'standing' | 'resend'>
  readonly processes: {
    /** Throws when the account has no such process. */
    find(account: Pick<Account, 'id'>, processId: string): Promise<{ readonly state: string }>
    /** Throws when the account has no such process, or when it has ended. */
    checkLive(account: Account, processId: string): Promise<void>
  }
  readonly watch: {
    add(subscription: StoredSubscription): void
    remove(subscriptionId: string): Promise<void>
  }
  readonly objectionTo: ObjectionTo
  /** Web origins that may be logged in to for receivers of other origins. */
  readonly authOrigins: readonly string[]
  readonly clock: Clock
}

const MAX_SUBSCRIPTIONS = 20

export type WebhookService = ReturnType<typeof createWebhookService>

export function createWebhookService(deps: WebhookDeps) {
  const { store, delivery, processes, watch, objectionTo, authOrigins, clock } = deps

  /** The rows go last: if this is cut short, it can be done again. */
  async function removeAll(subscriptionIds: readonly string[]): Promise<void> {
    await Promise.all(subscriptionIds.map((id) => watch.remove(id)))
    for (const id of subscriptionIds) await delivery.drop(channelOf({ id }))
    await store.remove(subscriptionIds)
  }

  async function checkAddresses(account: Account, { notification_url, auth_url }: NewSubscription): Promise<void> {
    const hosts = [{ path: 'body.notification_url', hostname: new URL(notification_url).hostname }]
    const untrusted: InputError[] = []
    if (auth_url) {
      const { origin, hostname } = new URL(auth_url)
      const message = `must be of the same origin as notification_url; the operator can allow others with AERIE_AUTH_ORIGINS=${origin}.`
      if (mayLogIn(account, origin, notification_url)) hosts.push({ path: 'body.auth_url', hostname })
      else untrusted.push({ path: 'body.auth_url', message })
    }
    const errors = [...(await hostErrors(objectionTo, account, hosts)), ...untrusted]
    if (errors.length > 0) throw inputInvalid(errors)
  }

  /** What a login answers is sent on to the receiver: so that must be trusted with it. */
  function mayLogIn(account: Account, origin: string, receiver: string): boolean {
    return origin === new URL(receiver).origin || authOrigins.includes(origin) || isMaster(account)
  }

  async function findDelivery(processId: string, webhookId: string) {
    for (const subscription of await store.list(processId)) {
      const entry = await delivery.find(channelOf(subscription), webhookId)
      if (entry) return entry
    }
    throw new AppError('delivery-not-found', { webhook_id: webhookId })
  }

  return {
    async subscribe(account: Account, processId: string, wish: NewSubscription): Promise<Subscription> {
      await processes.checkLive(account, processId)
      const { state } = await processes.find(account, processId)
      const authUrl = wish.auth_url ?? null
      await checkAddresses(account, wish)

      const subscription: StoredSubscription = {
        id: orderedUuid(),
        accountId: account.id,
        processId,
        notificationUrl: wish.notification_url,
        eventType: wish.event_type,
        notificationFormat: wish.notification_format,
        backoffMs: Math.round(wish.notifier_policy_args.backoff_seconds * 1000),
        authUrl,
        secret: newWebhookSecret(),
        progress: newProgress(state),
        createdAt: clock.now(),
        endedAt: null,
      }
      const outcome = await store.insertWithinLimit(account, subscription, MAX_SUBSCRIPTIONS)
      if (outcome === 'subscription-exists') throw new AppError(outcome, { event_type: wish.event_type })
      if (outcome === 'subscription-limit-reached') throw new AppError(outcome, { limit: MAX_SUBSCRIPTIONS })
      watch.add(subscription)
      try {
        // Its end may have come while this was written, and would never come again.
        await processes.checkLive(account, processId)
      } catch (error) {
        await removeAll([subscription.id])
        throw error
      }
      return subscription
    },

    /** Those of a process that goes on; of an ended one, those for which something still waits. */
    async list(account: Account, processId: string): Promise<ListedSubscription[]> {
      await processes.find(account, processId)
      const all = await store.list(processId)
      const standing = await delivery.standing(all.map(channelOf))
      const listed = all.map((subscription) => {
        const { waiting = 0, lastDeliveredAtMs = null } = standing.get(channelOf(subscription)) ?? {}
        return { subscription, pending: waiting, lastDeliveryAt: lastDeliveredAtMs }
      })
      return listed.filter(({ subscription, pending }) => subscription.endedAt === null || pending > 0)
    },

    /** What waits for the removed ones is dropped, and what became of the others is forgotten. */
    async remove(account: Account, processId: string, filter: SubscriptionFilter): Promise<string[]> {
      await processes.find(account, processId)
      const found = (await store.list(processId, filter)).map(({ id }) => id)
      const isNamed = Object.values(filter).some((value) => value !== undefined)
      if (isNamed && found.length === 0) throw new AppError('subscription-not-found', { process_uuid: processId })
      await removeAll(found)
      return found
    },

    removeEndedBefore: async (ms: number): Promise<void> => removeAll(await store.listEndedBefore(ms)),

    async deliveries(account: Account, processId: string, query: DeliveryQuery): Promise<Page<DeliveryOf>> {
      await processes.find(account, processId)
      const subscriptions = new Map((await store.list(processId)).map((one) => [one.id, one]))
      const channels = [...subscriptions.values()].map(channelOf)
      const { items, nextCursor } = await delivery.list(channels, query)
      const standing = await delivery.standing(channels)
      const listed = items.map((entry) => {
        const nextAttemptAt = entry.state === 'waiting' ? (standing.get(entry.channel)?.nextAttemptAtMs ?? null) : null
        return { entry, subscription: subscriptions.get(subscriptionIdOf(entry.channel))!, nextAttemptAt }
      })
      return { items: listed, nextCursor }
    },

    async resend(account: Account, processId: string, webhookId: string): Promise<void> {
      await processes.find(account, processId)
      const { channel, state } = await findDelivery(processId, webhookId)
      if (await delivery.resend(channel, webhookId)) return
      throw new AppError('delivery-not-resendable', { webhook_id: webhookId, state })
    },
  }
}
