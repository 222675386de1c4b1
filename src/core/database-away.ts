/** The database did not answer: nothing is wrong with what was asked, and the same may succeed in a moment. */
export class DatabaseAway extends Error {
  constructor(cause: Error & { readonly code?: unknown }) {
    // Of several addresses that were tried there is only a code.
    super(`The database cannot be reached: ${cause.message || String(cause.code)}`, { cause })
    this.name = 'DatabaseAway'
  }
}

/** Another program keeps SQLite's file locked for longer than we wait. */
const LOCKED = 'SQLITE_BUSY'

export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseAway || (cause as { code?: unknown }).code === LOCKED) return true
  return false
}
