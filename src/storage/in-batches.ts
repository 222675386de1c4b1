/** SQLite takes 32,766 bound values in a statement, PostgreSQL 65,535: so many rows of 65 columns each still fit. */
const BATCH_SIZE = 500

/** For statements that bind a list of any length: as much of it as goes into each of them. */
export function* inBatches<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += BATCH_SIZE) yield values.slice(start, start + BATCH_SIZE)
}
