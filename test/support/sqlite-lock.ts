import Sqlite from 'libsql'
import { until } from './until.ts'

/** Another program that keeps a SQLite database locked. */
export interface SqliteLock {
  release(): void
}

/** Resolves when nobody else can write. */
export async function lockSqlite(path: string): Promise<SqliteLock> {
  const database = new Sqlite(path)
  // Not by a wait of the driver's: that holds up this thread, and with it the end of the transaction that it waits for.
  database.exec('pragma busy_timeout = 0')
  await until(async () => tryToBegin(database))
  return {
    release() {
      database.exec('rollback')
      database.close()
    },
  }
}

function tryToBegin(database: Sqlite.Database): boolean {
  try {
    database.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error
    return false
  }
}
