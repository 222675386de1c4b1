import { z } from 'zod'
import { type AlertType, alertTypes, kindOf } from './analyses/kinds.ts'
import { notificationSchemas } from './notification.schema.ts'

const JsonSchema = z.record(z.string(), z.unknown()).describe('A JSON Schema (2020-12).')

/** What `/alert_description` says of a type. */
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
  const { setup, description, example } = kindOf({ type: name })
  const { trigger, region, filter, parameters, output } = setup.shape
  return {
    name,
    description,
    example,
    trigger: toSchema(trigger, 'input'),
    region: toSchema(region, 'input'),
    filter: toSchema(filter, 'input'),
    parameters: toSchema(parameters, 'input'),
    output: toSchema(output, 'input'),
    notification: toSchema(notificationSchemas[name], 'output'),
  }
}
