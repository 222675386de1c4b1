import { z } from 'zod'
import { type AlertType, alertTypes } from './alert.ts'
import { notificationSchemas } from './notification.schema.ts'
import { setupSchemas } from './setup.schema.ts'

const JsonSchema = z.record(z.string(), z.unknown()).describe('A JSON Schema (2020-12).')

/** What `/alert_description` tells of a type. */
export const AlertDescription = z.object({
  name: z.enum(alertTypes),
  description: z.string(),
  trigger: JsonSchema,
  region: JsonSchema,
  filter: JsonSchema,
  parameters: JsonSchema,
  output: JsonSchema,
  example: z.record(z.string(), z.unknown()).describe('A body for `POST /alert`.'),
  notification: JsonSchema,
})
type AlertDescription = z.infer<typeof AlertDescription>

const output = [{ type: 'mqtt', config: { host: 'broker.example.org:1883', topic: 'site/alerts' } }]

const texts: Readonly<Record<AlertType, { description: string; example: Record<string, unknown> }>> = {
  'grid-density': {
    description:
      'Tells when at least `min_count` are in one cell of a grid for `for_seconds` (`started`), and when they no longer are (`ended`), each time with the whole grid.',
    example: {
      alias: 'crowd in the yard',
      type: 'grid-density',
      trigger: { min_count: 5, for_seconds: 3 },
      region: { type: 'polygon', points: [[0, 0.4], [1, 0.4], [1, 1], [0, 1]] }, // prettier-ignore
      filter: { classes: ['person'], min_confidence: 50 },
      parameters: { rows: 4, columns: 6 },
      output,
    },
  },
  'flow-control': {
    description:
      'Counts who crosses lines. Tells each crossing in a `forbidden` direction (`forbidden`); when a line is crossed more than `max_count` times within `window_seconds` (`started`) and when it no longer is (`ended`); with neither, every crossing (`crossed`).',
    example: {
      alias: 'wrong way at the gate',
      type: 'flow-control',
      trigger: { window_seconds: 60, forbidden: 'right_to_left' },
      filter: { classes: ['car', 'truck'] },
      parameters: { lines: [{ name: 'gate', geo_from: [51.44165, -0.94551], geo_to: [51.44171, -0.94538] }] },
      output,
    },
  },
  'follow-track': {
    description:
      'Follows one track and tells where it is, so that a gimbal can be steered by it: `acquired`, `update` every `interval_seconds`, `lost`.',
    example: {
      alias: 'follow the largest boat',
      type: 'follow-track',
      trigger: { interval_seconds: 0.5 },
      filter: { classes: ['boat'] },
      parameters: { select: 'largest' },
      output,
    },
  },
  'filter-search': {
    description:
      'Tells each track once (`found`) that matches region and filter for `for_seconds`; what is found within `cooldown_seconds` of the last notification is told together afterwards.',
    example: {
      alias: 'somebody by the fence',
      type: 'filter-search',
      trigger: { for_seconds: 1, cooldown_seconds: 30 },
      filter: { classes: ['person'], min_height_px: 40 },
      parameters: { with_image: true },
      output: [...output, { type: 'webhook', config: { url: 'https://example.org/alerts' } }],
    },
  },
}

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => ({
  ...z.toJSONSchema(schema, { target: 'draft-2020-12', io }),
})

const made = new Map<AlertType, AlertDescription>()

/** The same schemas that validate, as JSON Schema. Made once: it takes milliseconds. */
export function describeAlert(name: AlertType): AlertDescription {
  const description = made.get(name) ?? makeDescription(name)
  made.set(name, description)
  return description
}

function makeDescription(name: AlertType): AlertDescription {
  const { trigger, region, filter, parameters, output: outputs } = setupSchemas[name].shape
  return {
    name,
    ...texts[name],
    trigger: toSchema(trigger, 'input'),
    region: toSchema(region, 'input'),
    filter: toSchema(filter, 'input'),
    parameters: toSchema(parameters, 'input'),
    output: toSchema(outputs, 'input'),
    notification: toSchema(notificationSchemas[name], 'output'),
  }
}
