import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { type EventLinks } from '../core/event-links.ts'
import { PageQuery } from '../core/page.ts'
import { queryList } from '../core/query-list.ts'
import { checkTimeRange, OwnerQuery, TimeRangeQuery } from '../core/request-fields.ts'
import { checkOneOfSources, ClassWord, SourceUuids } from '../core/search-fields.ts'
import { type SourceRight } from '../core/source-rights.ts'
import { EVENT_CURSOR } from './alert-event-cursor.ts'
import { type ListedAlertEvent } from './alert-events.store.ts'
import { alertTypes } from './analyses/kinds.ts'
import { eventLinkFields, toEventLinks } from './event-link-fields.ts'

/** The wire's shapes of alert events. */

export const ByAlertEvent = z.object({ event_uuid: z.uuid() })

export const AlertEventsQuery = z
  .object({
    ...OwnerQuery.shape,
    ...TimeRangeQuery.shape,
    source_uuid: z.uuid().optional().describe('Only of this source.'),
    source_uuids: SourceUuids,
    alert_uuid: z.uuid().optional().describe('Only of this alert, also of one that was deleted.'),
    alert_uuids: queryList(z.uuid(), 50).optional().describe('Comma-separated, up to 50: of any of these.'),
    classes: queryList(ClassWord, 50)
      .optional()
      .describe(
        'Comma-separated, up to 50: about tracks of any of these classes, or by an alert that looks for them. Events of before an upgrade name none.',
      ),
    limit: PageQuery.shape.limit,
    cursor: z
      .string()
      .max(80)
      .regex(EVENT_CURSOR, 'Take the cursor from the `Link` header of the page before, as it is.')
      .optional()
      .describe('From the `Link` header of the page before.'),
  })
  .superRefine(checkTimeRange)
  .superRefine(checkOneOfSources)

export const AlertEventRecord = z.object({
  event_uuid: z.uuid(),
  alert_uuid: z.uuid(),
  alias: z.string().describe('The alert’s, as it was then.'),
  type: z.enum(alertTypes),
  event: z.string().describe('As in the notification: `started`, `found`, …'),
  source_uuid: z.uuid(),
  source_alias: z.string().nullable().describe('null once the source is removed.'),
  process_uuid: z.uuid(),
  at: z.string().describe('When the frame was taken, UTC.'),
  data: z.record(z.string(), z.unknown()).describe('As in the notification, but without the pictures of `with_image`.'),
  ...eventLinkFields,
})

export const DeletedAlertEvent = z.object({ event_uuid: z.uuid(), deleted: z.literal(true) })

export const PictureQuery = z.object({
  ...OwnerQuery.shape,
  token: z.string().optional().describe('Comes with the picture_url, and stands for the key.'),
})

/** An alert event, and for whom it is described. */
export interface SeenAlertEvent {
  readonly event: ListedAlertEvent
  /** What was given on its source; null where it is one's own, or a child's. */
  readonly rights: readonly SourceRight[] | null
}

export function toAlertEventRecord(
  { event, rights }: SeenAlertEvent,
  links: Pick<EventLinks, 'urlOf'>,
  mayHavePicture: boolean,
): z.infer<typeof AlertEventRecord> {
  const isOfStream = event.source_type === 'stream'
  return {
    event_uuid: event.id,
    alert_uuid: event.alert_id,
    alias: event.alias,
    // Only what an alert notified of is in the table.
    type: event.type as (typeof alertTypes)[number],
    event: event.event,
    source_uuid: event.source_id,
    source_alias: event.source_alias,
    process_uuid: event.process_id,
    at: toZulu(event.at),
    data: JSON.parse(event.data) as Record<string, unknown>,
    ...linksFor(rights, toEventLinks(links, { eventId: event.id, mayHavePicture, isOfStream })),
  }
}

/** A link works for whoever has it, also when a right was taken: who was given one shows its key instead. */
function linksFor(rights: SeenAlertEvent['rights'], links: ReturnType<typeof toEventLinks>) {
  if (!rights) return links
  const { picture_url, clip_url } = links
  return {
    picture_url: picture_url && withoutToken(picture_url),
    clip_url: rights.includes('watch') ? clip_url && withoutToken(clip_url) : null,
  }
}

const withoutToken = (url: string) => url.slice(0, url.indexOf('?'))
