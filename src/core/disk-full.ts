/** Of Node, of SQLite, and of PostgreSQL (`disk_full`). */
const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** Whether it failed because a disk is full, of this machine or of the database's. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (CODES.has((cause as { code?: unknown }).code)) return true
  return false
}
