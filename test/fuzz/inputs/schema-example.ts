import { type OpenAPIV3_1 } from 'openapi-types'
import { type Json } from '../mutate-json.ts'
import { type Random } from '../random.ts'

type Schema = OpenAPIV3_1.SchemaObject & { readonly prefixItems?: readonly Schema[]; readonly const?: Json }

/** Stands for the id of something that is there, of whichever kind; as long as one. */
export const UUID = '@@@@@@@@-@@@@-@@@@-@@@@-@@@@@@@@@@@@'

/** Texts by their names, where a schema says less than that. */
const TEXTS: Readonly<Record<string, string>> = {
  username: 'child',
  input_url: 'rtsp://127.0.0.1:9/cam',
  notification_url: 'http://127.0.0.1:9/hook',
  auth_url: 'http://127.0.0.1:9/login',
  url: 'rtsp://processed',
  ip: '127.0.0.1',
  host: '127.0.0.1',
  topic: 'drone/1',
  classes: 'person,car',
  tiles: '2x2',
  expiration_date: '2030-01-01',
  from: '2026-01-01T00:00:00Z',
  to: '2026-01-02T00:00:00Z',
  near: '48.85,2.35,100',
}

/** A value that a schema takes, as far as can be told from it. What may be left out is there more often than not. */
export function exampleOf(schema: Schema | undefined, random: Random, name = ''): Json {
  if (!schema) return null
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum as Json[])
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return exampleOf(random.pick(choices), random, name)
  switch (schema.type) {
    case 'object':
      return exampleObject(schema, random)
    case 'array':
      return exampleList(schema, random, name)
    case 'integer':
    case 'number':
      return exampleNumber(schema, random)
    case 'boolean':
      return random.oneIn(2)
    case 'string':
      return schema.format === 'uuid' ? UUID : (TEXTS[name] ?? 'abc')
    default:
      return null
  }
}

function exampleObject({ properties = {}, required = [] }: Schema, random: Random): Json {
  const names = Object.keys(properties).filter((name) => required.includes(name) || !random.oneIn(3))
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] as Schema, random, name)]))
}

function exampleList(schema: Schema, random: Random, name: string): Json {
  if (schema.prefixItems) return schema.prefixItems.map((item) => exampleOf(item, random, name))
  const { minItems = 0, items } = schema as Schema & { items?: Schema }
  return Array.from({ length: minItems + random.below(3) }, () => exampleOf(items, random, name))
}

function exampleNumber({ minimum = 0, maximum = 100, type }: Schema, random: Random): number {
  const number = minimum + ((maximum - minimum) * random.below(101)) / 100
  return type === 'integer' ? Math.round(number) : number
}
