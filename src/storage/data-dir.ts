import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'

export interface DataDirLock {
  release(): void
}

/**
 * Makes the data folder if need be, and takes it: two services on one folder would spoil each other's files. The lock
 * is a transaction of SQLite's on an empty file, so the kernel frees it with its holder, however that died, and it
 * holds between containers that share a volume.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = new Sqlite(join(dataDir, 'aerie.lock'))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Error(`Another Aerie is running on ${dataDir}; stop it first, or choose another AERIE_DATA_DIR.`, {
      cause: error,
    })
  }
  return { release: () => lock.close() }
}
