import { z } from 'zod'

/** A number in the query. Nothing after its `=` would be 0 otherwise. */
export function queryNumber<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? NaN : value), schema)
}
