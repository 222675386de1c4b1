import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { PageQuery } from '../core/page.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { OwnerQuery, queryFlag } from '../core/request-fields.ts'
import { alertScopes, scopeOf } from './alert-scope.ts'
import { type Alert } from './alert.ts'
import { type AlertKind } from './analyses/alert-kind.ts'
import { alertTypes, type Kind, kinds } from './analyses/kinds.ts'
import { maskButNewSecret, maskOutput } from './output.schema.ts'

/** The wire's shapes of alerts. */

/** As many as any key may have. */
const MAX_SOURCES = 1_000

const alias = z.string().trim().min(1).max(200).describe('A label of your choice.')
const status = z.enum(['active', 'inactive'])
const sources = z
  .array(z.uuid())
  .min(1, 'name at least one source, or send null for all')
  .max(MAX_SOURCES, `names at most ${MAX_SOURCES} sources`)
  .nullable()
  .describe('The only sources whose processes it looks at, by their source_uuid. Missing or null: all.')
const named = { alias, status: status.default('active'), source_uuids: sources.optional() }

export const NewAlert = z.discriminatedUnion('type', namedSetupsOf(kinds))
export type NewAlert = z.infer<typeof NewAlert>

type Named<Schema> = Schema extends z.ZodObject<infer Shape> ? z.ZodObject<Shape & typeof named, z.core.$strict> : never
type NamedSetupsOf<Kinds extends readonly Kind[]> = { [Index in keyof Kinds]: Named<Kinds[Index]['setup']> }

// Written out for the types, as in `alert.ts`.
function namedSetupsOf<Kinds extends readonly Kind[]>(all: Kinds): NamedSetupsOf<Kinds> {
  return all.map(({ setup }: AlertKind) => setup.extend(named)) as unknown as NamedSetupsOf<Kinds>
}

// Which fields they may have depends on the alert's type, which is known only once it is found.
const ofItsType = z.record(z.string(), z.unknown()).describe('Replaced as a whole; its fields are those of the type.')

export const AlertChange = z.strictObject({
  alias: alias.optional(),
  status: status.optional(),
  source_uuids: sources.optional(),
  trigger: ofItsType.optional(),
  region: ofItsType.nullable().optional(),
  filter: ofItsType.optional(),
  parameters: ofItsType.optional(),
  output: z.array(z.record(z.string(), z.unknown())).optional().describe('Replaced as a whole.'),
  force: z.boolean().optional().describe('Launch running pipelines anew, so that the change takes effect at once.'),
  type: z.never('cannot be changed; register another alert').optional(),
})
export type AlertChange = Omit<z.infer<typeof AlertChange>, 'type' | 'force'>

export const ForceQuery = z.object({ force: queryFlag.optional().describe('The same as in the body.') })

export const DescriptionQuery = z.object({
  alert_name: z.enum(alertTypes).optional().describe('Which type; without it all are told.'),
  name: z.enum(alertTypes).optional().describe('The same.'),
})

const fields = z.record(z.string(), z.unknown())
const record = {
  uuid: z.uuid(),
  alert_uuid: z.uuid().describe('The same as `uuid`, by the name that notifications and addresses have for it.'),
  alias: z.string(),
  type: z.enum(alertTypes),
  status,
  scope: z
    .enum(alertScopes)
    .describe(
      '`all`: looks at every process; `sources`: at those of `source_uuids`; `process`: one-off, at its process.',
    ),
  source_uuids: z
    .array(z.uuid())
    .nullable()
    .describe('With scope `sources`; without those that were removed. Empty when all were: then it looks at nothing.'),
  trigger: fields,
  region: fields.nullable(),
  filter: fields,
  parameters: fields,
  output: z
    .array(z.object({ type: z.string(), config: fields }))
    .describe(
      'Passwords, keys and secrets are masked, but for a secret that was made just now; sent back as they are, they stay what they were.',
    ),
  pending: z.boolean().describe('Some running pipeline still has it as it was before its last change.'),
  created_at: z.string(),
  updated_at: z.string(),
}
export const AlertRecord = z.object({
  ...record,
  process_uuid: z
    .uuid()
    .nullable()
    .describe('Of a one-off alert, the process that it lives with; null for registered ones.'),
})
export const OneOffAlertRecord = z.object({ ...record, process_uuid: z.uuid() })

export const ActiveAlertRecord = z.object({
  ...record,
  process_uuid: z.uuid(),
  source_uuid: z.uuid(),
  one_off: z.boolean().describe('Lives with this process only.'),
  problem: z.string().nullable().describe('Why it tells of nothing at this process, if so, and what to do.'),
})

export const ByAlert = z.object({ alert_uuid: z.uuid() })
export const AlertsQuery = z.object({ ...PageQuery.shape, ...OwnerQuery.shape })
export const ActiveAlertsQuery = OwnerQuery
export const DeletedAlert = z.object({ uuid: record.uuid, alert_uuid: record.alert_uuid, deleted: z.literal(true) })

/** `sent`: the outputs of the request that this answers; secrets that were made for them are shown. */
export function toAlertRecord(
  alert: Alert,
  isPending: boolean,
  sent?: readonly unknown[],
): z.infer<typeof AlertRecord> {
  const { type, trigger, region, filter, parameters, output } = alert.setup
  return {
    uuid: alert.id,
    alert_uuid: alert.id,
    alias: alert.alias,
    type,
    status: alert.status,
    scope: scopeOf(alert),
    source_uuids: alert.sourceIds && [...alert.sourceIds],
    trigger,
    region,
    filter,
    parameters,
    output: output.map((one, index) => (sent ? maskButNewSecret(one, sent[index]) : maskOutput(one))),
    pending: isPending,
    process_uuid: alert.processId,
    created_at: toZulu(alert.createdAt),
    updated_at: toZulu(alert.updatedAt),
  }
}

/** What an alert looks for; not whom it notifies. */
export function toAlertSettings(alert: Alert): object {
  const { pending: _, output: __, ...settings } = toAlertRecord(alert, false)
  return settings
}

/** A row of `/active/alerts`. */
export function toActiveRecord({ alert, process, isPending, problem }: ShownRow): z.infer<typeof ActiveAlertRecord> {
  return {
    ...toAlertRecord(alert, isPending),
    process_uuid: process.processId,
    source_uuid: process.sourceId,
    one_off: alert.processId !== null,
    problem,
  }
}

interface ShownRow {
  readonly alert: Alert
  readonly process: Pick<ProcessRef, 'processId' | 'sourceId'>
  readonly isPending: boolean
  readonly problem: string | null
}
