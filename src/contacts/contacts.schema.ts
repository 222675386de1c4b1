import { z } from 'zod'
import { toZulu, toZuluOrNull } from '../core/clock.ts'
import { contactTypes } from '../core/contact.ts'
import { PageQuery } from '../core/page.ts'
import { isTimeZone } from '../core/quiet-hours.ts'
import { OwnerQuery } from '../core/request-fields.ts'
import { DEFAULT_MAX_PER_MINUTE, type ListedContact } from './contact.ts'
import { isAllowedPort, line, portOf } from './kinds/fields.ts'
import { contactKinds, maskConfig } from './kinds/kinds.ts'
import { arePushKeys } from './push-keys.ts'

/** The wire's shapes of contacts. */

const alias = z.string().trim().pipe(line(200)).describe('A label of your choice.')

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day from 00:00 to 23:59, as in 22:00')

const QuietHoursRecord = z.strictObject({
  from: timeOfDay,
  to: timeOfDay.describe('Over midnight where it is the earlier one.'),
  time_zone: z
    .string()
    .max(100)
    .refine(isTimeZone, 'must be the name of a time zone, as in Europe/Berlin')
    .describe('IANA’s name: summer time is kept.'),
  days: z
    .array(z.number().int().min(1).max(7))
    .max(7)
    .optional()
    .describe('On which they begin, 1 (Monday) … 7; without any, every day.'),
})
const QuietHours = QuietHoursRecord.refine(({ from, to }) => from !== to, {
  path: ['to'],
  message: 'must be another time than from; quiet hours of a whole day would be silence for ever',
})
  .nullable()
  .describe('Then nothing is sent; what was held back is summed up in one message when they are over.')
type WireQuietHours = z.infer<typeof QuietHours>

const maxPerMinute = z
  .number()
  .int()
  .min(1)
  .max(60)
  .describe('What is more is held back, and summed up in one message when the minute is over.')

const named = {
  alias,
  quiet_hours: QuietHours.default(null),
  max_per_minute: maxPerMinute.default(DEFAULT_MAX_PER_MINUTE),
}

const [email, ntfy, telegram, webpush] = contactKinds
export const NewContact = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal(email.type), config: email.config, ...named }),
  z.strictObject({ type: z.literal(ntfy.type), config: ntfy.config, ...named }),
  z.strictObject({ type: z.literal(telegram.type), config: telegram.config, ...named }),
  z.strictObject({ type: z.literal(webpush.type), config: webpush.config.default({}), ...named }),
])
export type NewContact = z.infer<typeof NewContact>

const fields = z.record(z.string(), z.unknown())

export const ContactChange = z.strictObject({
  alias: alias.optional(),
  // Which fields it may have depends on the contact's type, which is known only once it is found.
  config: fields
    .optional()
    .describe(
      'Replaced as a whole; a secret that is sent as `***` stays what it was, unless it would go to another server.',
    ),
  quiet_hours: QuietHours.optional(),
  max_per_minute: maxPerMinute.optional(),
  type: z.never('cannot be changed; register another contact').optional(),
})
export type ContactChange = Omit<z.infer<typeof ContactChange>, 'type'>

const DeviceRecord = z.object({ device_uuid: z.uuid(), name: z.string(), created_at: z.string() })

export const ContactRecord = z.object({
  contact_uuid: z.uuid(),
  alias: z.string(),
  type: z.enum(contactTypes),
  config: fields.describe('As it was sent, with `***` for passwords and tokens.'),
  quiet_hours: QuietHoursRecord.nullable(),
  max_per_minute: z.number().int(),
  devices: z.array(DeviceRecord).describe('Of `webpush`: the browsers that get it.'),
  status: z.object({
    held: z.number().int().describe('Held back since the last sum.'),
    last_sent_at: z.string().nullable(),
    problem: z.string().nullable().describe('Why the last message did not arrive, or who of several does not have it.'),
  }),
  created_at: z.string(),
})

const base64url = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')

export const NewDevice = z
  .strictObject({
    name: z.string().trim().pipe(line(200)).describe('By which you know the browser again.'),
    endpoint: z
      .string()
      .max(2000)
      .superRefine((text, context) => {
        const message = whyNotEndpoint(text)
        if (message) context.addIssue({ code: 'custom', message })
      })
      .describe('As the browser has it: `subscription.endpoint`.'),
    keys: z.strictObject({ p256dh: base64url, auth: base64url }).describe('As the browser has them.'),
  })
  .refine(({ keys }) => arePushKeys(keys), {
    path: ['keys'],
    message:
      'are not those of a browser: p256dh is a point of P-256, auth has 16 bytes; send subscription.toJSON().keys',
  })
export type NewDevice = z.infer<typeof NewDevice>

function whyNotEndpoint(text: string): string | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text))
    return 'Send the endpoint as the browser has it: it begins with https://.'
  const url = new URL(text)
  if (url.username || url.password) return 'An endpoint has no login in it; send it as the browser has it.'
  return isAllowedPort(portOf(url), [443]) ? undefined : 'A port is 443, or from 1024 on.'
}

export const AddedDevice = z.object({ device_uuid: z.uuid() })
export const DeletedDevice = z.object({ device_uuid: z.uuid(), deleted: z.literal(true) })
export const ByDevice = z.object({ contact_uuid: z.uuid(), device_uuid: z.uuid() })
export const PushKey = z.object({
  public_key: z.string().describe('base64url, for `applicationServerKey` of `pushManager.subscribe`.'),
})
export const TestedContact = z.object({
  delivered: z.boolean(),
  problem: z.string().nullable().describe('Why it did not arrive, or who of several does not have it.'),
})

export const ByContact = z.object({ contact_uuid: z.uuid() })
export const ContactsQuery = z.object({ ...PageQuery.shape, ...OwnerQuery.shape })
export const DeletedContact = z.object({ contact_uuid: z.uuid(), deleted: z.literal(true) })

export function toQuietHours(sent: WireQuietHours) {
  if (!sent) return null
  const { time_zone: timeZone, ...hours } = sent
  return { ...hours, timeZone }
}

export function toContactRecord(contact: ListedContact): z.infer<typeof ContactRecord> {
  const { quietHours } = contact
  return {
    contact_uuid: contact.id,
    alias: contact.alias,
    type: contact.type,
    config: maskConfig(contact),
    quiet_hours: quietHours && {
      from: quietHours.from,
      to: quietHours.to,
      time_zone: quietHours.timeZone,
      ...(quietHours.days && { days: [...quietHours.days] }),
    },
    max_per_minute: contact.maxPerMinute,
    devices: contact.devices.map(({ id, name, createdAt }) => ({
      device_uuid: id,
      name,
      created_at: toZulu(createdAt),
    })),
    status: {
      held: contact.heldCount,
      last_sent_at: toZuluOrNull(contact.lastSentAt),
      problem: contact.problem,
    },
    created_at: toZulu(contact.createdAt),
  }
}
