import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'libsql'

export interface DataDirLock {
  release(): void
  /** For who came to nothing: removes also what taking it has made, as far as nobody has put anything there. */
  undo(): void
}

/**
 * Makes the data folder if need be, and takes it: two services on one folder would spoil each other's files. The lock
 * is a transaction of SQLite's on an empty file, so the kernel frees it with its holder, however that died, and it
 * holds between containers that share a volume.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const firstMade = mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'aerie.lock')
  const isNew = !existsSync(path)
  const lock = new Sqlite(path)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Error(`Another Aerie is running on ${dataDir}; stop it first, or choose another AERIE_DATA_DIR.`, {
      cause: error,
    })
  }
  return {
    release: () => lock.close(),
    undo() {
      if (isNew) rmSync(path, { force: true })
      lock.close()
      if (firstMade !== undefined) removeEmpty(dataDir, firstMade)
    },
  }
}

/** The folder, and those that it is in, up to `first`. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return
    throw error
  }
  if (folder !== first) removeEmpty(dirname(folder), first)
}
