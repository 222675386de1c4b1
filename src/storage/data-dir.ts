import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'libsql'

export interface DataDirLock {
  release(): void
  /** For a start that came to nothing: removes also what taking it has made, as far as nobody has put anything there. */
  undo(): void
}

const MAY_NOT_WRITE = 'this user may not write there'
/** Why a folder cannot be made. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of that path is a file',
  EACCES: MAY_NOT_WRITE,
  EPERM: MAY_NOT_WRITE,
  EROFS: MAY_NOT_WRITE,
}

/**
 * Makes the data folder if need be, and takes it: two services on one folder would spoil each other's files. The lock
 * is a transaction of SQLite's on an empty file, so the kernel frees it with its holder, however that died, and it
 * holds between containers that share a volume.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const firstMade = makeFolder(dataDir)
  const path = join(dataDir, 'aerie.lock')
  const isNew = !existsSync(path)
  const lock = openLock(dataDir, path)
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

/** Answers the first folder that had to be made. */
function makeFolder(dataDir: string): string | undefined {
  try {
    return mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw unusable(dataDir, REASONS[code] ?? message, error)
  }
}

function openLock(dataDir: string, path: string): Sqlite.Database {
  try {
    return new Sqlite(path)
  } catch (error) {
    throw unusable(dataDir, 'nothing can be written into it', error)
  }
}

function unusable(dataDir: string, reason: string, cause: unknown): Error {
  const advice = 'Set it to a folder that the user of the service may write to.'
  return new Error(`AERIE_DATA_DIR is ${dataDir}, and cannot be used: ${reason}. ${advice}`, { cause })
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
