import { z } from 'zod'

/** Deeper is nothing that a page would keep, and work for whoever reads it. */
export const MAX_DEPTH = 8

export const PreferenceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'use up to 64 lowercase letters, digits and hyphens, the first a letter')

const Value = z
  .unknown()
  .refine((value) => isWithin(value, MAX_DEPTH), `lists and objects may be in each other up to ${MAX_DEPTH} deep`)
  .describe('Any JSON.')

export const Preferences = z.record(z.string(), z.unknown()).describe('What is kept, by its name.')
export type Preferences = Readonly<Record<string, unknown>>

export const PreferencesChange = z
  .record(PreferenceName, Value)
  .describe('What is set, by its name; null for what is kept no more. What is left out stays.')

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1))
}
