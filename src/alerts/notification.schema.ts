import { z } from 'zod'
import { type AlertKind } from './analyses/alert-kind.ts'
import { type AlertType, kinds, typeOf } from './analyses/kinds.ts'
import { eventLinkFields } from './event-link-fields.ts'

const times = {
  timestamp: z.string().describe('When the frame was taken, UTC.'),
  detected_at: z
    .string()
    .optional()
    .describe('When the model was done with that frame, UTC; not where something is over that nobody saw end.'),
}

function toNotification(type: string, event: string, data: z.ZodObject, earlier: z.ZodType) {
  return z.object({
    alert_uuid: z.uuid(),
    alias: z.string(),
    type: z.literal(type),
    event: z.literal(event),
    process_uuid: z.uuid(),
    source_uuid: z.uuid(),
    source_alias: z.string().nullable().describe('The camera’s label; null when the source was removed meanwhile.'),
    ...times,
    sequence: z
      .number()
      .int()
      .describe('Counts up for each alert and process; the same number again is the same notification.'),
    event_uuid: z
      .uuid()
      .nullable()
      .describe('As `GET /alert_events` lists it; null of an `update`, which is kept nowhere and has no links.'),
    ...eventLinkFields,
    data,
    earlier: z
      .array(earlier)
      .optional()
      .describe('What else happened since the notification before, within cooldown_seconds; oldest first.'),
  })
}

function schemaOf({ setup, events }: AlertKind): z.ZodType {
  const earlier = z.union(
    Object.entries(events).map(([event, data]) => z.object({ event: z.literal(event), ...times, data })),
  )
  const [first, ...others] = Object.entries(events).map(([event, data]) =>
    toNotification(setup.shape.type.value, event, data, earlier),
  )
  return others.length === 0 ? first! : z.discriminatedUnion('event', [first!, ...others])
}

/** What the notifications of each type hold. */
export const notificationSchemas = Object.fromEntries(kinds.map((kind) => [typeOf(kind), schemaOf(kind)])) as Readonly<
  Record<AlertType, z.ZodType>
>
