import { z } from 'zod'

/** Several values in the query, joined by commas; the same twice is one. */
export function queryList<T extends z.ZodType<unknown, string>>(item: T, max: number) {
  return z
    .string()
    .max(5_000)
    .transform((text) => [...new Set(text.split(',').map((one) => one.trim()))])
    .pipe(z.array(item).max(max))
}
