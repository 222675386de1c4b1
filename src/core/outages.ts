/**
 * Of Node, of SQLite, and of PostgreSQL (`disk_full`). SQLite has others than `SQLITE_FULL` for a file of shared memory that
 * could not grow, and for a write beyond a quota; a disk that is broken fails when it reads or flushes, and is not full.
 */
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
  'SQLITE_IOERR_WRITE',
  '53100',
])

/** Whether it failed because a disk is full, of this machine or of the database's. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (DISK_FULL_CODES.has((cause as { code?: unknown }).code)) return true
  return false
}

/** The database did not answer: nothing is wrong with what was asked, and the same may succeed in a moment. */
export class DatabaseAway extends Error {
  constructor(cause: Error & { readonly code?: unknown }) {
    // Of several addresses that were tried there is only a code.
    super(`The database cannot be reached: ${cause.message || String(cause.code)}`, { cause })
    this.name = 'DatabaseAway'
  }
}

/** Another program keeps SQLite's file locked for longer than we wait; or the disk has failed, and can be read only or not at all. */
const UNREACHABLE = /^SQLITE_(BUSY|LOCKED|PROTOCOL|IOERR|CANTOPEN|READONLY)/

export function isDatabaseAway(error: unknown): boolean {
  if (isDiskFull(error)) return false
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseAway || UNREACHABLE.test(String((cause as { code?: unknown }).code))) return true
  return false
}
