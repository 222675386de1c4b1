import { z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { PageQuery } from '../core/page.ts'
import { inputInvalid } from '../core/refusals.ts'
import { HttpUrl, OwnerQuery, queryFlag } from '../core/request-fields.ts'
import {
  type DeliveryOf,
  eventTypes,
  type ListedSubscription,
  notificationFormats,
  type Subscription,
  type SubscriptionFilter,
} from './subscription.ts'

/** The wire's shapes of subscriptions. */

const eventType = z
  .enum(eventTypes)
  .describe(
    'new-tracks: tracks that were not told before. target-count: another number of targets. process-state. minutes-low: once, when less than a day of the key’s minutes is left.',
  )

export const NewSubscription = z.strictObject({
  notification_url: HttpUrl.describe('Where notifications are posted.'),
  event_type: eventType.default('new-tracks'),
  auth_url: HttpUrl.nullish().describe(
    'For receivers that need a login: a POST here answers JSON with an access_token or a token.',
  ),
  notifier_policy_type: z.literal('backoff').default('backoff'),
  notifier_policy_args: z
    .strictObject({
      backoff_seconds: z
        .number()
        .min(0)
        .max(86_400)
        .default(5)
        .describe(
          'At least so long between the receiver’s answer and the next notification; what happens meanwhile is told together.',
        ),
    })
    .default({ backoff_seconds: 5 }),
  notification_format: z.enum(notificationFormats).default('simple'),
})
export type NewSubscription = z.infer<typeof NewSubscription>

export const SubscriptionRecord = z.object({
  subscription_uuid: z.uuid(),
  notification_url: z.string().describe('Passwords and keys are masked.'),
  event_type: z.enum(eventTypes),
  notification_format: z.enum(notificationFormats),
  notifier_policy_type: z.literal('backoff'),
  notifier_policy_args: z.object({ backoff_seconds: z.number() }),
  auth_url: z.string().nullable(),
  created_at: z.string(),
  last_delivery_at: z.string().nullable(),
  ended_at: z.string().nullable().describe('When its process ended; it is listed until nothing waits any more.'),
  pending: z.number().int().describe('Notifications that wait to be delivered.'),
})
export const CreatedSubscription = SubscriptionRecord.extend({
  secret: z.string().describe('`whsec_…`, what notifications are signed with (Standard Webhooks). Shown only now.'),
})

const filter = {
  subscription_uuid: z.uuid().optional().describe('As it is listed; a url is listed with its keys masked.'),
  notification_url: z.string().max(2000).optional(),
  event_type: eventType.optional(),
}
export const RemovalQuery = z.object({
  ...filter,
  all: queryFlag.optional().describe('`true` removes every subscription of the process.'),
})
export const RemovalBody = z.strictObject(filter).nullish()
export const RemovedSubscriptions = z.object({
  process_uuid: z.uuid(),
  deleted: z.literal(true),
  subscription_uuids: z.array(z.uuid()),
})

const deliveryStates = ['waiting', 'delivered', 'dead', 'dropped'] as const
export const DeliveriesQuery = z.object({
  ...PageQuery.shape,
  ...OwnerQuery.shape,
  state: z.enum(deliveryStates).optional(),
})
export const DeliveryRecord = z.object({
  webhook_id: z.uuid().describe('The same in the header `webhook-id`, however often it is sent.'),
  subscription_uuid: z.uuid(),
  notification_url: z.string(),
  event_type: z.enum(eventTypes),
  state: z
    .enum(deliveryStates)
    .describe('delivered and dead (not within a day): can be sent again. dropped: too many were waiting.'),
  attempts: z.number().int(),
  error: z.string().nullable().describe('What went wrong at the last attempt.'),
  created_at: z.string(),
  delivered_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
})
export const ResentDelivery = z.object({ webhook_id: z.uuid(), state: z.literal('waiting') })

export const ByDelivery = z.object({ process_uuid: z.uuid(), webhook_id: z.uuid() })

/** Nobody loses all subscriptions by a body that did not arrive: that has to be said. */
export function toRemovalFilter(
  { all = false, ...query }: z.infer<typeof RemovalQuery>,
  body: z.infer<typeof RemovalBody>,
): SubscriptionFilter {
  const { subscription_uuid: id, notification_url: notificationUrl, event_type: eventType } = { ...query, ...body }
  const isNamed = [id, notificationUrl, eventType].some((value) => value !== undefined)
  if (isNamed === all)
    throw inputInvalid([
      {
        path: 'query.all',
        message: isNamed
          ? 'all=true removes every subscription of the process; leave it out to remove only those that fit.'
          : 'Say which: notification_url and event_type (or subscription_uuid), in the query or the body; all=true removes every subscription of the process.',
      },
    ])
  return { id, notificationUrl, eventType }
}

export function toSubscriptionRecord({
  subscription,
  pending,
  lastDeliveryAt,
}: ListedSubscription): z.infer<typeof SubscriptionRecord> {
  return {
    subscription_uuid: subscription.id,
    notification_url: maskSecrets(subscription.notificationUrl),
    event_type: subscription.eventType,
    notification_format: subscription.notificationFormat,
    notifier_policy_type: 'backoff',
    notifier_policy_args: { backoff_seconds: subscription.backoffMs / 1000 },
    auth_url: subscription.authUrl && maskSecrets(subscription.authUrl),
    created_at: toZulu(subscription.createdAt),
    last_delivery_at: toZuluOrNull(lastDeliveryAt),
    ended_at: toZuluOrNull(subscription.endedAt),
    pending,
  }
}

export function toCreatedSubscription(subscription: Subscription): z.infer<typeof CreatedSubscription> {
  const record = toSubscriptionRecord({ subscription, pending: 0, lastDeliveryAt: null })
  return { ...record, secret: subscription.secret }
}

export function toDeliveryRecord({ entry, subscription, nextAttemptAt }: DeliveryOf): z.infer<typeof DeliveryRecord> {
  return {
    webhook_id: entry.id,
    subscription_uuid: subscription.id,
    notification_url: maskSecrets(subscription.notificationUrl),
    event_type: subscription.eventType,
    state: entry.state,
    attempts: entry.attempts,
    error: entry.error,
    created_at: toZulu(entry.createdAtMs),
    delivered_at: entry.state === 'delivered' ? toZulu(entry.settledAtMs!) : null,
    next_attempt_at: toZuluOrNull(nextAttemptAt),
  }
}
