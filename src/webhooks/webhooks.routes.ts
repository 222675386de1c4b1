import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { nextPageLink } from '../core/page.ts'
import { ByProcess, OwnerQuery } from '../core/request-fields.ts'
import {
  ByDelivery,
  CreatedSubscription,
  DeliveriesQuery,
  DeliveryRecord,
  NewSubscription,
  RemovalBody,
  RemovalQuery,
  RemovedSubscriptions,
  ResentDelivery,
  SubscriptionRecord,
  toCreatedSubscription,
  toDeliveryRecord,
  toRemovalFilter,
  toSubscriptionRecord,
} from './webhooks.schema.ts'
import { type WebhookService } from './webhooks.service.ts'

export interface WebhookRouteDeps {
  readonly webhooks: WebhookService
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
}

/** `/subscribe`, `/subscriptions`: receivers that are notified by HTTP of what happens in a process. */
export function webhookRoutes({ webhooks, owners }: WebhookRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Webhooks']

    app.post(
      '/subscribe/:process_uuid',
      {
        schema: {
          tags,
          summary: 'Subscribe a url to events of a process',
          params: ByProcess,
          body: NewSubscription,
          response: { 201: CreatedSubscription },
        },
      },
      async (request, reply) => {
        const { process_uuid } = request.params
        const subscription = await webhooks.subscribe(request.account, process_uuid, request.body)
        return reply.code(201).send(toCreatedSubscription(subscription))
      },
    )

    app.get(
      '/subscriptions/:process_uuid',
      {
        schema: {
          tags,
          summary: 'List the subscriptions of a process that goes on, or for which something still waits',
          params: ByProcess,
          querystring: OwnerQuery,
          response: { 200: z.array(SubscriptionRecord) },
        },
      },
      async (request) => {
        const owner = await owners.resolve(request.account, request.query.username)
        return (await webhooks.list(owner, request.params.process_uuid)).map(toSubscriptionRecord)
      },
    )

    app.delete(
      '/subscriptions/:process_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary:
            'Remove subscriptions: by uuid, url or event type, in the query or the body (all that are given must fit), or every one by all=true',
          params: ByProcess,
          querystring: RemovalQuery,
          body: RemovalBody,
          response: { 200: RemovedSubscriptions },
        },
      },
      async (request) => {
        const { process_uuid } = request.params
        const filter = toRemovalFilter(request.query, request.body)
        const removed = await webhooks.remove(request.account, process_uuid, filter)
        return { process_uuid, deleted: true as const, subscription_uuids: removed }
      },
    )

    app.get(
      '/subscriptions/:process_uuid/deliveries',
      {
        schema: {
          tags,
          summary: 'List what was delivered, what waits and what is dead, of ended processes too',
          params: ByProcess,
          querystring: DeliveriesQuery,
          response: { 200: z.array(DeliveryRecord) },
        },
      },
      async (request, reply) => {
        const { username, ...query } = request.query
        const owner = await owners.resolve(request.account, username)
        const { items, nextCursor } = await webhooks.deliveries(owner, request.params.process_uuid, query)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map(toDeliveryRecord)
      },
    )

    app.post(
      '/subscriptions/:process_uuid/deliveries/:webhook_id/resend',
      {
        schema: {
          tags,
          summary: 'Send a dead or delivered one again, with the same webhook-id',
          params: ByDelivery,
          response: { 200: ResentDelivery },
        },
      },
      async (request) => {
        const { process_uuid, webhook_id } = request.params
        await webhooks.resend(request.account, process_uuid, webhook_id)
        return { webhook_id, state: 'waiting' as const }
      },
    )
  }
}
