import { type FastifyRequest } from 'fastify'
import { type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type EventLinks } from '../core/event-links.ts'
import { mergePages, type MergeOrder } from '../core/merge-pages.ts'
import { nextPageLink, type Page } from '../core/page.ts'
import { textOf } from '../core/request-headers.ts'
import { type ListSearchedOwners } from '../core/searched-owners.ts'
import { pictureAnswers, sendPicture } from '../http/send-picture.ts'
import { fromEventCursor, newestFirst, toEventCursor } from './alert-event-cursor.ts'
import {
  AlertEventRecord,
  AlertEventsQuery,
  ByAlertEvent,
  DeletedAlertEvent,
  PictureQuery,
  type SeenAlertEvent,
  toAlertEventRecord,
} from './alert-events.schema.ts'
import { type AlertEventService } from './alert-events.service.ts'

export interface AlertEventRouteDeps {
  readonly events: AlertEventService
  readonly links: Pick<EventLinks, 'urlOf'>
  /** Among whose events is searched. */
  readonly searchedOwners: ListSearchedOwners
}

const ORDER: MergeOrder<SeenAlertEvent> = {
  cursorOf: ({ event }) => toEventCursor(event),
  compare: (one, other) => newestFirst(fromEventCursor(one), fromEventCursor(other)),
}

/** `/alert_events`, `/alert_event/…`: what alerts have notified of, and its pictures. */
export function alertEventRoutes({ events, links, searchedOwners }: AlertEventRouteDeps): FastifyPluginAsyncZod {
  return async (app) => {
    const tags = ['Alerts']

    app.get(
      '/alert_events',
      {
        schema: {
          tags,
          summary: 'List what alerts have notified of, the newest first',
          description:
            'Kept for the `alert_retention_days` of the key, also when the alert, its process or its source are removed. An `update` of `follow-track` is not in it.',
          querystring: AlertEventsQuery,
          response: { 200: z.array(AlertEventRecord) },
        },
      },
      async (request, reply) => {
        const { username, from, to, source_uuid: sourceId, source_uuids: sourceIds, limit, cursor } = request.query
        const { alert_uuid: alertId, alert_uuids: alertIds, classes } = request.query
        const after = cursor === undefined ? undefined : fromEventCursor(cursor)
        const pages: Page<SeenAlertEvent>[] = []
        for (const { owner, rights, ...one } of await searchedOwners(request.account, 'events', {
          username,
          sourceId,
          sourceIds,
        })) {
          const search = { range: { from, to }, sourceId: one.sourceId, alertId, alertIds, classes }
          const page = await events.list(owner, search, { limit, after })
          pages.push({ ...page, items: page.items.map((event) => ({ event, rights })) })
        }
        const { items, nextCursor } = mergePages(pages, limit, ORDER)
        if (nextCursor) reply.header('link', nextPageLink(request.url, nextCursor))
        return items.map((seen) => toAlertEventRecord(seen, links, events.mayHavePicture(seen.event)))
      },
    )

    app.get(
      '/alert_event/:event_uuid/picture.jpg',
      {
        config: {
          isLinked: true,
          aboutNode: (request) => events.nodeOf(...linkOf(request)),
          aboutProcess: (request) => events.processOf(...linkOf(request)),
        },
        schema: {
          tags,
          summary: 'The picture of an alert event, by its link or with the key',
          description:
            'The whole picture, long side at most 640, with the box of whom the event is about, or with all boxes. 202 with `Retry-After` while it may still come, for fifteen seconds after the event.',
          params: ByAlertEvent,
          querystring: PictureQuery,
          response: pictureAnswers,
        },
      },
      async (request, reply) => {
        const { event_uuid: eventId } = request.params
        const { token, username } = request.query
        const picture = await (token === undefined
          ? events.pictureFor({ caller: request.account, username }, eventId)
          : events.pictureByLink(eventId, token))
        return sendPicture(reply, picture)
      },
    )

    app.delete(
      '/alert_event/:event_uuid',
      {
        config: { urgentWork: 'removal' },
        schema: {
          tags,
          summary: 'Delete an alert event with its picture',
          params: ByAlertEvent,
          response: { 200: DeletedAlertEvent },
        },
      },
      async (request) => {
        const { event_uuid } = request.params
        await events.remove(request.account, event_uuid)
        return { event_uuid, deleted: true as const }
      },
    )
  }
}

/** Its event and its token, before these were looked at. */
function linkOf({ params, query }: FastifyRequest): [eventId: string, token: string] {
  const { event_uuid } = params as z.infer<typeof ByAlertEvent>
  return [event_uuid, textOf((query as { readonly token?: unknown }).token) ?? '']
}
