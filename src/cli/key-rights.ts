import { z } from 'zod'
import { KeyUpdate } from '../accounts/accounts.schema.ts'
import { oneOf, toNumber } from './command.ts'

/** What was typed, by the names of options. */
export type Values = Readonly<Record<string, string | boolean | undefined>>

const BOOLEANS = ['true', 'false'] as const

/** `--max-sources` for `max_sources`, and so on. */
export const rightsOptions = Object.fromEntries(
  Object.entries(KeyUpdate.shape).map(([name, right]) => {
    const isBoolean = right.unwrap() instanceof z.ZodBoolean
    return [name.replaceAll('_', '-'), { type: 'string' as const, ...(isBoolean && { values: BOOLEANS }) }]
  }),
)

/** Typed rights in the API's form: `--max-sources 5` is `{max_sources: 5}`. */
export function toRights(values: Values): Record<string, unknown> {
  const given = Object.keys(rightsOptions).filter((name) => values[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name.replaceAll('-', '_'), toRight(name, String(values[name]))]))
}

function toRight(name: string, text: string): unknown {
  if (name === 'expiration-date') return text === 'never' ? null : text
  const values = rightsOptions[name]?.values
  return values ? oneOf(text, values, `--${name}`) === 'true' : toNumber(text, `--${name}`)
}
