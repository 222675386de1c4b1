/**
 * Of Node, of SQLite, and of PostgreSQL (`disk_full`). SQLite has others than `SQLITE_FULL` for a file of shared memory that
 * could not grow, and for a write beyond a quota; a disk that is broken fails when it reads or flushes, and is not full.
 */
const CODES: ReadonlySet<unknown> = new Set([
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
    if (CODES.has((cause as { code?: unknown }).code)) return true
  return false
}
